export { busAccess, type BusSettings } from './access';
export { type Attachment } from './bodies';
export {
  createBroadcast,
  onBroadcast,
  openBroadcastTransport,
  type BroadcastTransport,
  type Broadcast,
} from './broadcast';
export { BusUnreachable, connectWithTimeout } from './connect-with-timeout';
export { connectBus, type BusConnection } from './connect';
export { consumes, openEventTransport, type EventTransport, type RunningConsumer } from './consume';
export { deadLetterHeaders } from './dead-letter';
export { deadLetterBody } from './dead-letters/format-dead-letter';
export { createDeadLetters, type DeadLetter, type DeadLetters } from './dead-letters/letters';
export { armFaultPoints } from './faults/arm-fault-point';
export { faultPoints, type FaultPoint } from './faults/fault-points';
export { bytesAtOnce, gunzip, gzip, unpackedSize } from './gzip';
export { type MessageHandler } from './handle-message';
export { packJson, packLines, packTexts, unpackJson, unpackLines } from './json-attachment';
export {
  createPublish,
  createPublishResult,
  createPublishOrThrow,
  type Publish,
  type PublishResult,
  type PublishOrThrow,
} from './publish';
export { type Queued, createQueued } from './queued';
export { createRequest, NoResponders, type RpcResponse, type Request } from './request';
export {
  answers,
  handles,
  openRpcTransport,
  type OpenRpcTransport,
  type Reply,
  type RpcTransport,
} from './serve';
export { isMissing } from './streams';
export { asResponse } from './transient-errors';
export { busSettings } from './bus-settings';
export { faultSettings } from './faults/fault-settings';
