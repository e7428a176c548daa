import { AppError, errorTable } from '@bomtrail/messages';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  ConnectionError,
  NoRespondersError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import {
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
  RequestError,
  ConnectionError,
  ClosedConnectionError,
  JetStreamError,
  JetStreamApiError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
];

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
  return isPassing(error) ? 'again' : 'counted';
}

/** What a caller is told: where the bus or the database is away, the same question may be asked again. */
export function asAnswer(error: unknown): unknown {
  return isPassing(error) ? new AppError('service_unavailable') : error;
}

function isPassing(error: unknown): boolean {
  return isOfTheConnection(error) || isOfTheMoment(error);
}

/** Also where JetStream's client has wrapped it: a stream that is gone has no responders. */
function isOfTheConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return passing.some((type) => error instanceof type || cause instanceof type);
}

/**
 * What the database may let through later: a transaction that others or its full cache did not, and
 * what came while another member was becoming primary.
 */
function isOfTheMoment(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (leavingCodes.has(error.code) || isUnseenIndex(error)) return true;
  return passingLabels.some((label) => error.hasErrorLabel(label));
}

/** Server code of a query that cannot be planned. */
const badValue = 2;

/**
 * For a moment after the start of a server, a read of a snapshot from before it does not see the indexes,
 * and a query that names one is refused. They are there: without them no process opens its doors.
 */
function isUnseenIndex({ code, message }: MongoError): boolean {
  return code === badValue && message.includes('hint provided does not correspond');
}
