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

/** Errors of the bus and the database that say nothing of the message at hand. */
const passing = [
  TimeoutError,
  NoRespondersError,
  ConnectionError,
  ClosedConnectionError,
  JetStreamError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
];

/**
 * Statuses of JetStream's answers below 500 that pass: what is asked for is not there, or not yet again;
 * it took too long; there are too many requests.
 */
const passingStatuses: ReadonlySet<number> = new Set([404, 408, 429]);

/** A message with this id was taken, and whether it is stored is not known yet. */
export const duplicateInProcess = 10158;

/**
 * Refusals with a status below 500 that pass nevertheless, by the server's error codes: the account is full
 * (JSAccountResourcesExceeded), servers of the cluster are away (JSClusterNoPeers), another process has
 * just made the same consumer or stream (JSConsumerNameExist, JSStreamNameExist, JSConsumerAlreadyExists),
 * the same message is on its way to a majority of a cluster (JSStreamDuplicateMessageConflict).
 */
const transientRefusals: ReadonlySet<number> = new Set([
  ...[10002, 10005, 10013, 10058, 10148],
  duplicateInProcess,
]);

/** JSStreamMessageExceedsMaximum: no other attempt makes the message smaller. */
const tooLargeForStream = 10054;

const passingLabels = [
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.RetryableWriteError,
];

/**
 * Server codes of a member that ends or is no longer the primary: ShutdownInProgress, PrimarySteppedDown,
 * NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
 * NotPrimaryOrSecondary.
 */
const leavingCodes: ReadonlySet<unknown> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/**
 * How a failed message is to be treated: `again` without end while something that it needs is away,
 * `counted` (again, but only so often) when it may be the message itself, `never` when trying again
 * cannot help.
 */
export function retryOf(error: unknown): 'again' | 'counted' | 'never' {
  if (error instanceof AppError) {
    if (errorTable[error.code].retry === 'never') return 'never';
    return error.code === 'internal_error' ? 'counted' : 'again';
  }
  if (isTooLarge(error)) return 'never';
  // It is gone in seconds, or for good: somebody has dropped an index.
  if (isUnseenIndex(error)) return 'counted';
  return isPassing(error) ? 'again' : 'counted';
}

/** What a caller is told: where the bus or the database is away, the same question may be asked again. */
export function asResponse(error: unknown): unknown {
  return isPassing(error) || isUnseenIndex(error) ? new AppError('service_unavailable') : error;
}

function isPassing(error: unknown): boolean {
  return isOfTheConnection(error) || isOfTheMoment(error);
}

/** Also where a client has wrapped it: for JetStream's a stream that is gone has no responders. */
function isOfTheConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  // What ended a bulk write, not what a server refused of it; its class and its labels say nothing of that.
  const end = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  return [error, cause, end].some(isAway);
}

function isAway(error: unknown): boolean {
  if (error instanceof JetStreamApiError)
    return (
      error.status >= 500 || passingStatuses.has(error.status) || transientRefusals.has(error.code)
    );
  // The rights of a service do not change by waiting.
  if (error instanceof RequestError) return !(error.cause instanceof PermissionViolationError);
  return passing.some((type) => error instanceof type);
}

/** By the client's look at the server's limit, or by the stream's own limit. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof InvalidArgumentError ||
    (error instanceof JetStreamApiError && error.code === tooLargeForStream)
  );
}

/**
 * What the database may let through later: a transaction that others or its full cache did not, and
 * what came while another member was becoming primary.
 */
function isOfTheMoment(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (leavingCodes.has(error.code)) return true;
  return passingLabels.some((label) => error.hasErrorLabel(label));
}

/** Server code of a query that cannot be planned. */
const badValue = 2;

/**
 * For a moment after the start of a server, a read of a snapshot from before it does not see the indexes,
 * and a query that names one is refused. They are there, as no process opens its doors without them; one
 * that is refused for longer was dropped by somebody, and the next start of the service makes it again.
 */
export function isUnseenIndex(error: unknown): boolean {
  return (
    error instanceof MongoError &&
    error.code === badValue &&
    error.message.includes('hint provided does not correspond')
  );
}
