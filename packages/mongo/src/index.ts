export type { Aggregation } from './aggregation';
export {
  connectDatabase,
  databaseCredentials,
  databaseFileError,
  databaseUriError,
  type Database,
  type DatabaseSettings,
} from './connect';
export { isDuplicateKey, isAlreadyStored, mayBeCommitted, refusedUser } from './errors';
export { awaitLease, holdLease, type Tenure } from './hold-lease';
export { mergeIndexPlans, type IndexPlan, ensureIndexes } from './indexes';
export { createLeases, LeaseLost, type Lease, type Leases } from './lease';
export { oneOrSeveral } from './one-or-several';
export { restoreInProgress, untilRestored } from './restored';
export { inTransaction } from './transaction';
export { createWalk, type Walk } from './walk';
export { withSnapshot, snapshotTooOld, snapshotUnavailable } from './with-snapshot';
export { databaseSettings } from './database-settings';
