import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { isDuplicateKey } from '../database/errors';

/** Where a release is lost, the lease ends by its time: it need not wait for the journal. */
const releaseConcern = { w: 1, journal: false } as const;

interface LeaseDocument {
  _id: string;
  holder: string;
  /** Grows with every holder: a write that carries an older token comes from one that lost the lease. */
  token: number;
  expires_at: Date;
  /** Grows with every transaction that was guarded by it. */
  guarded?: number;
}

/** Thrown where the work of a lease was to be written after another process had taken the lease. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" was taken by another process; nothing was written.`);
    this.name = 'LeaseLost';
  }
}

/** A lease that is held now. */
export interface Lease {
  readonly token: number;
  /** Holds on for the given time from now, by the server's clock; false = it is lost. */
  renew(seconds: number): Promise<boolean>;
  /**
   * Makes a transaction depend on the lease (fencing): it writes the lease's document, so that it and another
   * process's `acquire` cannot pass each other unseen. Call it early: the others wait for the transaction from then on.
   *
   * @throws LeaseLost when another process has taken the lease; the transaction is rolled back
   */
  guard(session: ClientSession): Promise<void>;
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
  const ensured = new Set<string>();

  function expiry(seconds: number) {
    return { $add: ['$$NOW', seconds * 1000] };
  }

  /** MongoDB takes no `$expr` in an upsert, so the document is made first, free to be taken. */
  async function ensureLease(name: string): Promise<void> {
    if (ensured.has(name)) return;
    try {
      await leases.insertOne({ _id: name, holder: '', token: 0, expires_at: new Date(0) });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    ensured.add(name);
  }

  return {
    async acquire(name, seconds) {
      await ensureLease(name);
      const held = await leases.findOneAndUpdate(
        { _id: name, $expr: { $lt: ['$expires_at', '$$NOW'] } },
        [{ $set: { holder, token: { $add: ['$token', 1] }, expires_at: expiry(seconds) } }],
        { returnDocument: 'after' },
      );
      if (!held) {
        // Where the document was lost, as with a restored database, the next one who asks makes it again.
        if ((await leases.countDocuments({ _id: name })) === 0) ensured.delete(name);
        return null;
      }
      const mine = { _id: name, holder, token: held.token };
      return {
        token: held.token,
        async renew(more) {
          const renewed = await leases.updateOne(mine, [{ $set: { expires_at: expiry(more) } }]);
          return renewed.matchedCount === 1;
        },
        async guard(session) {
          const guarded = await leases.updateOne(mine, { $inc: { guarded: 1 } }, { session });
          if (guarded.matchedCount === 0) throw new LeaseLost(name);
        },
        async release() {
          const free = { $set: { expires_at: new Date(0) } };
          await leases.updateOne(mine, free, { writeConcern: releaseConcern });
        },
      };
    },
  };
}
