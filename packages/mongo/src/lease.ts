import { randomUUID } from 'node:crypto';
import type { ClientSession, Db } from 'mongodb';
import { isDuplicateKey } from './errors';

/** A lost release is harmless, as the lease expires; so it does not wait for the journal. */
const releaseConcern = { w: 1, journal: false } as const;

interface LeaseDocument {
  _id: string;
  owner: string;
  /** Incremented by every acquire: a write with an older token comes from a process that lost the lease. */
  token: number;
  expires_at: Date;
  /** Incremented by every guarded transaction. */
  guarded?: number;
}

/** The lease was lost before the work under it was written. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" was taken by another process; nothing was written.`);
    this.name = 'LeaseLost';
  }
}

/** An acquired lease. */
export interface Lease {
  readonly token: number;
  /** Extends the lease to this time from now, by the server's clock; false if it is lost. */
  renew(seconds: number): Promise<boolean>;
  /**
   * Fences a transaction: it writes the document of the lease and so conflicts with an `acquire` of another process.
   * Call it early in the transaction.
   *
   * @throws LeaseLost if another process has taken the lease; the transaction is rolled back
   */
  guard(session: ClientSession): Promise<void>;
  release(): Promise<void>;
}

/** Leases for work that must run in one process of a service at a time. */
export interface Leases {
  /** Acquires the lease; null while another process has it. */
  acquire(name: string, seconds: number): Promise<Lease | null>;
}

/** Creates leases in the database of the service, timed by the clock of the database server. */
export function createLeases(db: Db): Leases {
  const leases = db.collection<LeaseDocument>('leases');
  const owner = randomUUID();
  const ensured = new Set<string>();

  function expiry(seconds: number) {
    return { $add: ['$$NOW', seconds * 1000] };
  }

  /** Creates the document of a free lease: MongoDB allows no `$expr` in an upsert. */
  async function ensureLease(name: string): Promise<void> {
    if (ensured.has(name)) return;
    try {
      await leases.insertOne({ _id: name, owner: '', token: 0, expires_at: new Date(0) });
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
        [{ $set: { owner, token: { $add: ['$token', 1] }, expires_at: expiry(seconds) } }],
        { returnDocument: 'after' },
      );
      if (!held) {
        // If the document is missing, e.g. after a restore, the next call creates it again.
        if ((await leases.countDocuments({ _id: name })) === 0) ensured.delete(name);
        return null;
      }
      const mine = { _id: name, owner, token: held.token };
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
