import type { SbomReference } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';

/** A scan that waits for the first load of its advisories. */
export interface WaitingScan {
  scan: SbomReference;
  /** All ecosystems of its set; others may be missing when it is checked again. */
  ecosystems: string[];
  /** Trace context (W3C); absent unless tracing is on. */
  traceparent?: string | undefined;
}

interface WaitingScanDocument extends WaitingScan {
  /** SBOM id and lane. */
  _id: string;
  parked_at: Date;
}

export const waitingScanIndexes: IndexPlan = { waiting_scans: [{ key: { parked_at: 1 } }] };

export type WaitingScanStore = ReturnType<typeof createWaitingScanStore>;

/** Waiting scans: their messages are acknowledged, so they occupy no slot of a lane. */
export function createWaitingScanStore(db: Db) {
  const waiting = db.collection<WaitingScanDocument>('waiting_scans');
  const deleted = db.collection<{ _id: string }>('deleted_scopes');

  return {
    /**
     * Stores a scan, replacing an earlier request. Scans of a deleted project or service do not
     * wait.
     */
    async park({ scan, ecosystems, traceparent }: WaitingScan): Promise<void> {
      await waiting.updateOne(
        { _id: idOf(scan) },
        { $set: { scan, ecosystems, traceparent }, $setOnInsert: { parked_at: new Date() } },
        { upsert: true },
      );
      // Checked after the write: a delete records the id first and then removes waiting scans.
      const { project_id, service_id } = scan;
      if (await deleted.findOne({ _id: { $in: [project_id, service_id] } })) {
        await waiting.deleteOne({ _id: idOf(scan) });
      }
    },

    /** Removes the scans of a deleted project or service and rejects later ones. */
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

    /** Removes the scans of a deleted component set. */
    async removeOfSet(digest: string): Promise<void> {
      await waiting.deleteMany({ 'scan.digest': digest });
    },

    /** Oldest first. */
    list: () => waiting.find({}, { batchSize: 500 }).sort({ parked_at: 1 }),

    /** Removes a scan unless it was requested again meanwhile. */
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
