import { AppError, errorTable } from '@bomtrail/messages';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  ConnectionError,
  InvalidArgumentError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
} from 'mongodb';

/** Errors of the bus and the database that do not depend on the message. */
const transientErrors = [
  TimeoutError,
  NoRespondersError,
  ConnectionError,
  ClosedConnectionError,
  JetStreamError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
];

/** Transient JetStream statuses below 500: not found (yet), timeout, too many requests. */
const transientStatuses: ReadonlySet<number> = new Set([404, 408, 429]);

/** JSStreamDuplicateMessageConflict: a message with this id is being stored; the outcome is not known yet. */
export const duplicateInProcess = 10158;

/**
 * Transient JetStream error codes with other statuses below 500: the account is full
 * (JSAccountResourcesExceeded), cluster members are down (JSClusterNoPeers), another process has just created
 * the same consumer or stream (JSConsumerNameExist, JSStreamNameExist, JSConsumerAlreadyExists).
 */
const transientCodes: ReadonlySet<number> = new Set([
  ...[10002, 10005, 10013, 10058, 10148],
  duplicateInProcess,
]);

/** JSStreamMessageExceedsMaximum: permanent. */
const tooLargeForStream = 10054;

const transientLabels = [
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.RetryableWriteError,
];

/**
 * MongoDB codes of a member that is shutting down or no longer primary: ShutdownInProgress, PrimarySteppedDown,
 * NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
 * NotPrimaryOrSecondary.
 */
const steppingDownCodes: ReadonlySet<unknown> = new Set([
  91, 189, 10107, 11600, 11602, 13435, 13436,
]);

/**
 * Returns how often to retry a failed message: `unlimited` for transient errors, `limited` if the message itself
 * may be the cause, `never` if a retry cannot help.
 */
export function retryPolicyOf(error: unknown): 'unlimited' | 'limited' | 'never' {
  if (error instanceof AppError) {
    if (errorTable[error.code].retry === 'never') return 'never';
    return error.code === 'internal_error' ? 'limited' : 'unlimited';
  }
  if (isTooLarge(error)) return 'never';
  // Lasts for seconds after a start of the server, or until a dropped index is created again.
  if (isMissingIndex(error)) return 'limited';
  return isTransient(error) ? 'unlimited' : 'limited';
}

/** Maps an error to the response: transient errors of bus and database become `service_unavailable`. */
export function asResponse(error: unknown): unknown {
  return isTransient(error) || isMissingIndex(error) ? new AppError('service_unavailable') : error;
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || isTransientDatabaseError(error);
}

/** Checks wrapped errors, too: the JetStream client wraps "no responders" if a stream is missing. */
function isConnectionError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  // A bulk write carries the error that ended it here, not in its class or labels.
  const bulkError = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  return [error, cause, bulkError].some(isTransientBusError);
}

function isTransientBusError(error: unknown): boolean {
  if (error instanceof JetStreamApiError)
    return (
      error.status >= 500 || transientStatuses.has(error.status) || transientCodes.has(error.code)
    );
  // Missing permissions are permanent.
  if (error instanceof RequestError) return !(error.cause instanceof PermissionViolationError);
  return transientErrors.some((type) => error instanceof type);
}

/** Exceeds the limit of the server (checked by the client) or of the stream. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof InvalidArgumentError ||
    (error instanceof JetStreamApiError && error.code === tooLargeForStream)
  );
}

/** Transaction conflicts, a full cache, and elections. */
function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (steppingDownCodes.has(error.code)) return true;
  return transientLabels.some((label) => error.hasErrorLabel(label));
}

/** MongoDB code BadValue: the query cannot be planned. */
const badValue = 2;

/**
 * True if a query hints at an index that the server does not see: shortly after a server start, in a snapshot from
 * before it. If this lasts, the index was dropped; a restart of the service creates it.
 */
export function isMissingIndex(error: unknown): boolean {
  return (
    error instanceof MongoError &&
    error.code === badValue &&
    error.message.includes('hint provided does not correspond')
  );
}
