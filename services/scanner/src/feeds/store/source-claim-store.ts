import type { Db } from 'mongodb';

interface SourceClaimDocument {
  _id: 'sources';
  sources: string;
  /** When a process with these sources was last seen, by the database's clock. */
  seen_at: Date;
}

/** Without a process that has them for this long the sources no longer count: longer than a restart. */
const countForMs = 10 * 60_000;

export type SourceClaimStore = ReturnType<typeof createSourceClaimStore>;

/** Store of the sources that count while processes have different ones configured: one document. */
export function createSourceClaimStore(db: Db) {
  const claims = db.collection<SourceClaimDocument>('source_claims');
  const seenNow = { $currentDate: { seen_at: true } } as const;

  /** From now on these sources count. */
  async function claim(sources: string): Promise<void> {
    await claims.updateOne({ _id: 'sources' }, { $set: { sources }, ...seenNow }, { upsert: true });
  }

  return {
    claim,

    /** Whether these sources count, which a process that has them confirms; also if no process has the others any more. */
    async confirm(sources: string): Promise<boolean> {
      const isOver = { $lt: ['$seen_at', { $subtract: ['$$NOW', countForMs] }] };
      const confirmed = await claims.updateOne(
        { _id: 'sources', $or: [{ sources }, { $expr: isOver }] },
        { $set: { sources }, ...seenNow },
      );
      if (confirmed.matchedCount === 1) return true;
      if (await claims.findOne({ _id: 'sources' })) return false;
      await claim(sources);
      return true;
    },
  };
}
