import { AppError } from '@bomtrail/messages';
import { currentContext, type Logger } from '@bomtrail/service-kit';
import { v7 } from 'uuid';
import { withoutSecrets } from '../domain/api-key';
import { createdResource, resourcesIn, type Outcome, type Resources } from '../domain/audit-entry';
import type { Caller } from '../domain/caller';
import type { AuditEntryDocument, AuditStore, Protocol } from '../store/audit-store';

export interface AuditDeps {
  audit: Pick<AuditStore, 'insert' | 'complete'>;
  /** The project that an SBOM or a service belongs to; null when that cannot be said. */
  projectOf: (about: Resources) => Promise<string | null>;
  log: Logger;
  now: () => Date;
}

/** A call that changes something, as it is known once its key was accepted. */
export interface CallToAudit {
  /** null: a command on the server. */
  caller: Caller | null;
  protocol: Protocol;
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
   * Resolves when the entry is stored; the work must not begin before. Whose project a thing is that
   * may be gone afterwards is asked for meanwhile.
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

      async function addProject(): Promise<void> {
        if (resources.project_id !== undefined || Object.keys(resources).length === 0) return;
        const project_id = await deps.projectOf(resources);
        if (project_id !== null) resources = { ...resources, project_id };
      }

      keepTrack(stored.catch((error: unknown) => tellUnstored(deps.log, entry, error)));

      return {
        async stored() {
          const asked = addProject();
          try {
            await stored;
            await asked;
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
          const ended = { ...outcome, at: deps.now() };
          const created = createdResource(call.operation, answer);
          resources = merged(call.caller, resources, created);
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
    key: caller && { id: caller.keyId, prefix: caller.keyPrefix, name: caller.keyName },
    protocol,
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
  lost: { entry: AuditEntryDocument; outcome: Outcome; error: unknown },
): void {
  const { entry, outcome, error } = lost;
  log.error({ err: error, audit_id: entry._id, outcome }, 'The outcome of an audit entry is lost.');
}
