import { AppError } from '@bomtrail/messages';
import { currentContext, type Logger } from '@bomtrail/service-kit';
import { v7 } from 'uuid';
import { withoutSecrets } from '../domain/api-key';
import { createdResource, resourcesIn, type Outcome, type Resources } from '../domain/audit-entry';
import type { Caller } from '../domain/caller';
import type { AuditEntryDocument, AuditStore, Door } from '../store/audit-store';

export interface AuditDeps {
  audit: Pick<AuditStore, 'insert' | 'complete'>;
  log: Logger;
  now: () => Date;
}

/** A call that changes something, as it is known once its key was accepted. */
export interface CallToAudit {
  /** null: a command on the server. */
  caller: Caller | null;
  door: Door;
  /** operationId of the contract. */
  operation: string;
  method: string | null;
  /** Without the query. */
  path: string | null;
  /** Address of the immediate peer. */
  client: string | null;
}

/** The entry of one call. */
export interface AuditedCall {
  /**
   * Resolves when the entry is stored; the work must not begin before.
   *
   * @throws AppError `service_unavailable`
   */
  stored(): Promise<void>;
  /** Takes the ids of what the call is about out of what it sent. */
  about(values: unknown): void;
  /**
   * Notes how the call ended, behind the answer. Where that fails the entry stays without an outcome.
   *
   * @param answer what the call was answered, for the id of what it has created
   */
  end(outcome: Outcome, answer?: unknown): void;
}

export interface AuditTrail {
  begin(call: CallToAudit): AuditedCall;
  /** Resolves when no entry is being written. */
  idle(): Promise<void>;
}

/** Longer paths belong to no operation of the contract. */
const longestPath = 1_024;

/**
 * The audit log of all doors: an entry is stored before a call does its work and completed after it,
 * so that a call that was killed in between has an entry without an outcome, never none.
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
      keepTrack(stored.catch((error: unknown) => tellUnstored(deps.log, entry, error)));

      return {
        async stored() {
          try {
            await stored;
          } catch {
            throw new AppError(
              'service_unavailable',
              'The audit log cannot be written now: repeat the request after Retry-After seconds.',
            );
          }
        },
        about(values) {
          resources = merged(call.caller, resources, resourcesIn(values));
        },
        end(outcome, answer) {
          const created = createdResource(call.operation, answer);
          const completion = {
            id: entry._id,
            outcome: { ...outcome, at: deps.now() },
            resources: merged(call.caller, resources, created),
          };
          const completed = stored.then(
            () => deps.audit.complete(completion),
            () => undefined,
          );
          keepTrack(
            completed.catch((error: unknown) => tellIncomplete(deps.log, completion, error)),
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
  const { caller, door, operation, method, path, client } = call;
  return {
    _id: v7(),
    at,
    key: caller && { id: caller.keyId, prefix: caller.keyPrefix, name: caller.keyName },
    door,
    operation,
    method,
    path: path === null ? null : withoutSecrets(path).slice(0, longestPath),
    resources: caller?.projectId ? { project_id: caller.projectId } : {},
    request_id: currentContext()?.requestId ?? '',
    client,
    outcome: null,
  };
}

/** What a bound key does belongs to its project, also where it names another one, which it cannot reach. */
function merged(caller: Caller | null, before: Resources, more: Resources): Resources {
  const all = { ...before, ...more };
  return caller?.projectId ? { ...all, project_id: caller.projectId } : all;
}

function tellUnstored(log: Logger, entry: AuditEntryDocument, error: unknown): void {
  log.error({ err: error, operation: entry.operation }, 'An audit entry could not be stored.');
}

function tellIncomplete(
  log: Logger,
  completion: { id: string; outcome: Outcome },
  error: unknown,
): void {
  const { id, outcome } = completion;
  log.error({ err: error, audit_id: id, outcome }, 'The outcome of an audit entry is lost.');
}
