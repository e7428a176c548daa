import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { isDuplicateKey } from '../database/errors';

interface LeaseDocument {
  _id: string;
  holder: string;
  /** Grows with every holder: a write that carries an older token comes from one that lost the lease. */
  token: number;
  expires_at: Date;
}

/** A lease that is held now. */
export interface Lease {
  readonly token: number;
  /** Holds on for the given time from now, by the server's clock; false = it is lost. */
  renew(seconds: number): Promise<boolean>;
  release(): Promise<void>;
}

/** Leases for work that must run once at a time over all processes of a service. */
export interface Leases {
  /** The lease, or null while another process holds it. */
  acquire(name: string, seconds: number): Promise<Lease | null>;
}

/** Leases in the service's own database, by the database server's clock. */
export function createLeases(db: Db): Leases {
  const leases = db.collection<LeaseDocument>('leases');
  const holder = randomUUID();

  function expiry(seconds: number) {
    return { $add: ['$$NOW', seconds * 1000] };
  }

  return {
    async acquire(name, seconds) {
      try {
        const held = await leases.findOneAndUpdate(
          { _id: name, $expr: { $lt: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] } },
          [
            {
              $set: {
                holder,
                token: { $add: [{ $ifNull: ['$token', 0] }, 1] },
                expires_at: expiry(seconds),
              },
            },
          ],
          { upsert: true, returnDocument: 'after' },
        );
        if (!held) return null;
        const mine = { _id: name, holder, token: held.token };
        return {
          token: held.token,
          async renew(more) {
            const renewed = await leases.updateOne(mine, [{ $set: { expires_at: expiry(more) } }]);
            return renewed.matchedCount === 1;
          },
          async release() {
            await leases.updateOne(mine, { $set: { expires_at: new Date(0) } });
          },
        };
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
  };
}
