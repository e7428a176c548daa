export type { Attachment } from './bus/bodies';
export { busAccess, type BusSettings } from './bus/access';
export { connectBus, type BusConnection } from './bus/connect';
export { BusUnreachable, connectInTime } from './bus/connect-in-time';
export { consumes, openEventDoor, type EventDoor, type RunningConsumer } from './bus/consume';
export { asAnswer } from './bus/passing';
export { packJson, unpackJson } from './bus/json-attachment';
export type { MessageHandler } from './bus/handle-message';
export {
  createAnnounce,
  createConclude,
  createPublish,
  type Announce,
  type Conclude,
  type Publish,
} from './bus/publish';
export type { Queued } from './bus/queued';
export { createTell, hears, openNoticeDoor, type NoticeDoor, type Tell } from './bus/notice';
export { createRequest, NobodyAnswers, type Answer, type Request } from './bus/request';
export { answers, openRpcDoor, type OpenRpcDoor, type Reply, type RpcDoor } from './bus/serve';
export { atOneMoment, momentTooOld, momentUnavailable } from './database/at-one-moment';
export {
  connectDatabase,
  databaseCredentials,
  type Database,
  type DatabaseSettings,
} from './database/connect';
export { isDuplicateKey, knownAlready, mayBeCommitted } from './database/errors';
export { together, type IndexPlan } from './database/indexes';
export {
  condemnedIndex,
  createCondemned,
  lifted,
  type Condemnable,
  type Condemned,
  type CondemnedStore,
} from './database/condemned';
export { restoreUnderWay } from './database/restored';
export { createKnownProjects, type KnownProjectDocument } from './database/known-projects';
export { inTransaction } from './database/transaction';
export { createWalk, type Walk } from './database/walk';
export { faultPoints, type FaultPoint } from './faults/fault-points';
export { currentContext, withContext } from './log/context';
export { createLogger, type Logger } from './log/logger';
export { metricWithinMs, watchValue, type Reading } from './metrics/watch-value';
export { openDoors } from './process/open-doors';
export { runService } from './process/run-service';
export { startService, type RunningService } from './process/start-service';
export type { Composition, Kit, ServiceDefinition } from './process/service';
export { commonSettings, type CommonSettings } from './settings/common-settings';
export { connectionMistakes } from './settings/connection-mistakes';
export { garbageGraceSeconds, garbageSweepSeconds } from './settings/garbage-settings';
export { readSettings, SettingsError } from './settings/read-settings';
export { currentTraceparent, inNewContext, inSpan, resumed } from './traces/in-span';
export type { Span, SpanStart, Tracer } from './traces/span';
export { createBatcher, type Batched } from './work/batcher';
export { createBatchers, type BatchedByKey } from './work/batchers';
export { inOneFlight } from './work/in-one-flight';
export { inTime, TooLate } from './work/in-time';
export { awaitLease, holdLease, type Tenure } from './work/hold-lease';
export { createLeases, LeaseLost, type Lease, type Leases } from './work/lease';
export { eachAlone, type Sweep } from './work/sweep';
export { createTurns, type InTurn } from './work/turns';
