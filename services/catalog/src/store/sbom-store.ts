import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type { SbomDocument } from './documents';
import { createPendingScans } from './pending-scans';
import { createRescanMarks } from './rescan-marks';
import { createSbomRecords } from './sbom-records';
import { createSbomRemovals } from './sbom-removals';
import { createSbomsByDigest } from './sboms-by-digest';
import { createScanStates } from './scan-states';

export const sbomIndexes: IndexPlan = {
  sboms: [
    { key: { service_id: 1, seq: -1 }, unique: true },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { digest: 1, service_id: 1, seq: -1 } },
    { key: { retry_at: 1 }, partialFilterExpression: { retry_at: { $exists: true } } },
    {
      key: { 'rescan.retry_at': 1 },
      partialFilterExpression: { 'rescan.retry_at': { $exists: true } },
    },
    { key: { deleted_at: 1 }, partialFilterExpression: { deleted_at: { $exists: true } } },
  ],
};

export type SbomStore = ReturnType<typeof createSbomStore>;

/** SBOM records: how they are read and removed, their scans, and marks for re-scans. */
export function createSbomStore(db: Db) {
  const sboms = db.collection<SbomDocument>('sboms');
  return {
    ...createSbomRecords(sboms),
    ...createSbomRemovals(sboms),
    ...createSbomsByDigest(sboms),
    ...createScanStates(sboms),
    ...createPendingScans(sboms),
    ...createRescanMarks(sboms),
  };
}
