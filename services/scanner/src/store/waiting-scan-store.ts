import type { SbomReference } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';

/** A scan that waits for the first load of advisories that it needs. */
export interface WaitingScan {
  scan: SbomReference;
  /** All ecosystems of its set: another one of them may be missing by the time it is looked at again. */
  ecosystems: string[];
  /** Place in the trace that it belongs to (W3C Trace Context); absent unless traces are on. */
  traceparent?: string | undefined;
}

interface WaitingScanDocument extends WaitingScan {
  /** The SBOM and its lane. */
  _id: string;
  parked_at: Date;
}

export const waitingScanIndexes: IndexPlan = { waiting_scans: [{ key: { parked_at: 1 } }] };

export type WaitingScanStore = ReturnType<typeof createWaitingScanStore>;

/** Scans whose message is acknowledged and whose work is not done: they hold no place of a lane. */
export function createWaitingScanStore(db: Db) {
  const waiting = db.collection<WaitingScanDocument>('waiting_scans');
  const deleted = db.collection<{ _id: string }>('deleted_scopes');

  return {
    /**
     * A scan that was asked for again takes the place of the one before. One of a project or line that
     * was deleted does not wait.
     */
    async park({ scan, ecosystems, traceparent }: WaitingScan): Promise<void> {
      await waiting.updateOne(
        { _id: idOf(scan) },
        { $set: { scan, ecosystems, traceparent }, $setOnInsert: { parked_at: new Date() } },
        { upsert: true },
      );
      // Looked at afterwards: a delete notes the id first and then removes what waits.
      const { project_id, service_id } = scan;
      if (await deleted.findOne({ _id: { $in: [project_id, service_id] } })) {
        await waiting.deleteOne({ _id: idOf(scan) });
      }
    },

    /** Drops the scans of a deleted project, or of one line of it, and lets none wait again. */
    async deleteScope({
      project_id,
      service_id,
    }: {
      project_id: string;
      service_id: string | null;
    }) {
      const _id = service_id ?? project_id;
      await deleted.updateOne({ _id }, { $set: {} }, { upsert: true });
      const of =
        service_id === null ? { 'scan.project_id': project_id } : { 'scan.service_id': service_id };
      await waiting.deleteMany(of);
    },

    /** Drops the scans of a component set that is kept nowhere. */
    async removeOfSet(digest: string): Promise<void> {
      await waiting.deleteMany({ 'scan.digest': digest });
    },

    /** Oldest first. */
    list: () => waiting.find({}, { batchSize: 500 }).sort({ parked_at: 1 }),

    /** Takes it away unless it was asked for again meanwhile. */
    async remove(scan: SbomReference): Promise<void> {
      const { revision, attempt } = scan;
      await waiting.deleteOne({
        _id: idOf(scan),
        'scan.revision': revision,
        'scan.attempt': attempt,
      });
    },

    count: () => waiting.countDocuments(),
  };
}

function idOf({ sbom_id, lane }: SbomReference): string {
  return `${sbom_id}:${lane}`;
}
