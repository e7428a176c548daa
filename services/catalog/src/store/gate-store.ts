import type { AlertThreshold } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type { SbomDocument } from './documents';

export const gateIndexes: IndexPlan = {
  sboms: [
    {
      key: { service_id: 1, seq: -1 },
      name: 'gate_passed',
      partialFilterExpression: { gate_passed: { $exists: true } },
    },
  ],
};

const notDeleted = { deleted_at: { $exists: false } };

/** Gate results, stored with SBOM records. */
export interface GateStore {
  /** The newest SBOM of the service whose gate passed at one of these thresholds; before `seq`, if given. */
  newestPassed(
    of: { service_id: string; seq?: number },
    thresholds: readonly AlertThreshold[],
  ): Promise<SbomDocument | null>;
  /**
   * The newest SBOM of the service with this version, or the one with this id (in either case); never the one
   * with the id `_id`, if given.
   */
  named(
    of: { service_id: string; _id?: string },
    versionOrId: string,
  ): Promise<SbomDocument | null>;
  /** Adds thresholds to those at which the SBOM's gate passed, or removes them; false: no such SBOM. */
  setPassed(
    id: string,
    change: { thresholds: readonly AlertThreshold[]; passed: boolean },
  ): Promise<boolean>;
}

export function createGateStore(db: Db): GateStore {
  const sboms = db.collection<SbomDocument>('sboms');
  const newestFirst = { sort: { seq: -1 } } as const;
  return {
    newestPassed: ({ service_id, seq }, thresholds) =>
      sboms.findOne(
        {
          service_id,
          ...(seq === undefined ? {} : { seq: { $lt: seq } }),
          gate_passed: { $exists: true, $in: [...thresholds] },
          ...notDeleted,
        },
        newestFirst,
      ),
    named: ({ _id, service_id }, versionOrId) =>
      sboms.findOne(
        {
          service_id,
          ...(_id === undefined ? {} : { _id: { $ne: _id } }),
          $or: [{ version: versionOrId }, { _id: versionOrId.toLowerCase() }],
          ...notDeleted,
        },
        newestFirst,
      ),
    async setPassed(id, { thresholds, passed }) {
      const update = passed
        ? { $addToSet: { gate_passed: { $each: [...thresholds] } } }
        : { $pullAll: { gate_passed: [...thresholds] } };
      return (await sboms.updateOne({ _id: id, ...notDeleted }, update)).matchedCount === 1;
    },
  };
}
