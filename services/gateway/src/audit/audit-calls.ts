import { AppError } from '@bomtrail/messages';
import { currentContext, type Logger } from '@bomtrail/telemetry';
import { v7 } from 'uuid';
import { personId, type Person } from '../access/domain/person';
import { withoutSecrets } from '../api-keys/domain/api-key';
import {
  resourcesIn,
  resourcesInResponse,
  type Outcome,
  type Resources,
} from './domain/audit-entry';
import { onlyProjectOf, type Caller } from '../api-keys/domain/caller';
import type { AuditEntryDocument, AuditStore, Protocol } from './store/audit-store';

export interface AuditDeps {
  audit: Pick<AuditStore, 'insert' | 'complete'>;
  /** The project of an object; null if unknown. */
  projectOf: (about: Resources) => Promise<string | null>;
  log: Logger;
  now: () => Date;
}

/** A changing call after its key was accepted. */
export interface CallToAudit {
  /** null: a command on the server. */
  caller: Caller | null;
  protocol: Protocol;
  /** operationId of the contract. */
  operation: string;
  method: string | null;
  /** Without the query. */
  path: string | null;
  /** Address of the client. */
  client: string | null;
}

/** The entry of one call. */
export interface AuditedCall {
  /**
   * Resolves when the entry is stored; the work must not begin before. Meanwhile looks up the
   * project of objects that may be deleted.
   *
   * @throws AppError `service_unavailable`
   */
  stored(): Promise<void>;
  /** Adds ids from the input of the call. */
  about(values: unknown): void;
  /**
   * Stores the outcome after the response. On failure the entry stays without an outcome.
   *
   * @param response the body, for the ids of a created object and its project
   */
  end(outcome: Outcome, response?: unknown): void;
}

export interface AuditTrail {
  begin(call: CallToAudit): AuditedCall;
  /** Resolves when all entries are written. */
  idle(): Promise<void>;
}

/** Longer paths match no operation of the contract. */
const longestPath = 1_024;

/**
 * The audit log of all transports: an entry is stored before a call does its work and completed
 * afterwards, so that a killed call has an entry without an outcome.
 */
export function createAuditTrail(deps: AuditDeps): AuditTrail {
  const inHand = new Set<Promise<void>>();

  function keepTrack(writing: Promise<void>): void {
    inHand.add(writing);
    void writing.finally(() => inHand.delete(writing));
  }

  return {
    begin(call) {
      const entry = entryOf(call, deps.now());
      let { resources } = entry;
      const stored = deps.audit.insert({ ...entry });

      async function addProject(): Promise<void> {
        if (resources.project_id !== undefined || Object.keys(resources).length === 0) return;
        const project_id = await deps.projectOf(resources);
        if (project_id !== null) resources = { ...resources, project_id };
      }

      keepTrack(stored.catch((error: unknown) => tellUnstored(deps.log, entry, error)));

      return {
        async stored() {
          const requested = addProject();
          try {
            await stored;
            await requested;
          } catch {
            throw new AppError(
              'service_unavailable',
              'The audit log is unavailable: repeat the request after the seconds in Retry-After.',
            );
          }
        },
        about(values) {
          resources = merged(call.caller, resources, resourcesIn(values));
        },
        end(outcome, response) {
          const ended = { ...outcome, at: deps.now() };
          const answered = resourcesInResponse(call.operation, response);
          resources = merged(call.caller, resources, answered);
          const completed = stored.then(
            async () => {
              await addProject();
              await deps.audit.complete({ id: entry._id, outcome: ended, resources });
            },
            () => undefined,
          );
          keepTrack(
            completed.catch((error: unknown) =>
              tellIncomplete(deps.log, { entry, outcome, error }),
            ),
          );
        },
      };
    },

    async idle() {
      while (inHand.size > 0) await Promise.all(inHand);
    },
  };
}

function entryOf(call: CallToAudit, at: Date): AuditEntryDocument {
  const { caller, protocol, operation, method, path, client } = call;
  return {
    _id: v7(),
    at,
    ...identityOf(caller),
    protocol,
    operation,
    method,
    path: path === null ? null : withoutSecrets(path).slice(0, longestPath),
    resources: merged(caller, {}, {}),
    request_id: currentContext()?.requestId ?? '',
    client,
    outcome: null,
  };
}

/** Calls of a bound key belong to its project, even if they name another one. */
function merged(caller: Caller | null, before: Resources, more: Resources): Resources {
  const all = { ...before, ...more };
  const only = caller && boundTo(caller);
  return only ? { ...all, project_id: only } : all;
}

function boundTo(caller: Caller): string | null {
  return caller.identity.kind === 'key' ? onlyProjectOf(caller) : null;
}

function identityOf(caller: Caller | null): Pick<AuditEntryDocument, 'key' | 'person'> {
  if (!caller) return { key: null };
  const { id, identity } = caller;
  if (identity.kind === 'key') {
    const { prefix, name, owner } = identity;
    return { key: { id, prefix, name }, ...(owner && { person: personOf(owner) }) };
  }
  return { key: null, person: personOf(identity) };
}

function personOf(person: Person): NonNullable<AuditEntryDocument['person']> {
  const { issuer, subject, name, email } = person;
  return { id: personId(person), issuer, subject, name, email };
}

function tellUnstored(log: Logger, entry: AuditEntryDocument, error: unknown): void {
  log.error({ err: error, operation: entry.operation }, 'Storing an audit entry failed.');
}

function tellIncomplete(
  log: Logger,
  lost: { entry: AuditEntryDocument; outcome: Outcome; error: unknown },
): void {
  const { entry, outcome, error } = lost;
  log.error(
    { err: error, audit_id: entry._id, outcome },
    'Storing the outcome of an audit entry failed.',
  );
}
