export type { Attachment } from './bus/bodies';
export { busAccess, type BusSettings } from './bus/access';
export { connectBus, type BusConnection } from './bus/connect';
export { BusUnreachable, connectWithTimeout } from './bus/connect-with-timeout';
export {
  consumes,
  openEventTransport,
  type EventTransport,
  type RunningConsumer,
} from './bus/consume';
export { asResponse } from './bus/transient-errors';
export { packJson, unpackJson } from './bus/json-attachment';
export type { MessageHandler } from './bus/handle-message';
export {
  createPublish,
  createPublishResult,
  createPublishOrThrow,
  type Publish,
  type PublishResult,
  type PublishOrThrow,
} from './bus/publish';
export type { Queued } from './bus/queued';
export {
  createBroadcast,
  onBroadcast,
  openBroadcastTransport,
  type BroadcastTransport,
  type Broadcast,
} from './bus/broadcast';
export { createRequest, NoResponders, type RpcResponse, type Request } from './bus/request';
export {
  handles,
  openRpcTransport,
  type OpenRpcTransport,
  type Reply,
  type RpcTransport,
} from './bus/serve';
export { withSnapshot, snapshotTooOld, snapshotUnavailable } from './database/with-snapshot';
export {
  connectDatabase,
  databaseCredentials,
  type Database,
  type DatabaseSettings,
} from './database/connect';
export { isDuplicateKey, isAlreadyStored, mayBeCommitted } from './database/errors';
export { mergeIndexPlans, type IndexPlan } from './database/indexes';
export {
  markIndex,
  createMarks,
  unmarked,
  type Markable,
  type MarkedDocument,
  type MarkStore,
} from './database/marks';
export { restoreInProgress } from './database/restored';
export { createKnownProjects, type KnownProjectDocument } from './database/known-projects';
export { inTransaction } from './database/transaction';
export { createWalk, type Walk } from './database/walk';
export { faultPoints, type FaultPoint } from './faults/fault-points';
export { currentContext, withContext } from './log/context';
export { createLogger, type Logger } from './log/logger';
export { metricWithinMs, watchValue, type Reading } from './metrics/watch-value';
export { openTransports } from './process/open-transports';
export { runService } from './process/run-service';
export { startService, type RunningService } from './process/start-service';
export type { Composition, Kit, ServiceDefinition } from './process/service';
export { commonSettings, type CommonSettings } from './settings/common-settings';
export { connectionErrors } from './settings/connection-errors';
export { garbageGraceSeconds, garbageSweepSeconds } from './settings/garbage-settings';
export { readSettings, SettingsError } from './settings/read-settings';
export { currentTraceparent, inNewContext, inSpan, resumed } from './traces/in-span';
export type { Span, SpanStart, Tracer } from './traces/span';
export { createBatcher, type Batched } from './work/batcher';
export { createBatchers, type BatchedByKey } from './work/batchers';
export { singleFlight } from './work/single-flight';
export { withTimeout, TimeoutError } from './work/with-timeout';
export { awaitLease, holdLease, type Tenure } from './work/hold-lease';
export { createLeases, LeaseLost, type Lease, type Leases } from './work/lease';
export { eachAlone, type Sweep } from './work/sweep';
export { createKeyedMutex, type KeyedMutex } from './work/keyed-mutex';
