import type { QueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { ApiError } from '../../api/errors';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { vulnerabilitiesKey, type Finding } from './findings-queries';

export interface Decision {
  reason: string;
  /** `service`: each finding's own service; `project`: all of its project, later ones included. */
  scope: 'service' | 'project';
  /** ISO 8601; null: never. */
  expiresAt: string | null;
}

/** Requests at once: enough to be quick, few enough to leave the server to others. */
const atOnce = 4;

/**
 * Accepts findings, each once, and offers to undo it. What is accepted already counts as done, as
 * when two findings are one vulnerability in two packages.
 *
 * @throws ApiError of the first refusal, after the others have been decided
 */
export async function acceptFindings(
  findings: readonly Finding[],
  decision: Decision,
  queries: QueryClient,
): Promise<void> {
  const ids: string[] = [];
  let failure: unknown = null;
  await eachOf(findings, async (finding) => {
    try {
      const id = await accept(finding, decision);
      if (id) ids.push(id);
    } catch (error) {
      failure ??= error;
    }
  });
  await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  if (ids.length > 0) notify(text.accept.done(ids.length), () => void undo(ids, queries));
  if (failure) throw failure as Error;
}

async function accept(finding: Finding, decision: Decision): Promise<string | null> {
  const body = {
    project_id: finding.project_id,
    vulnerability_id: finding.id,
    service_id: decision.scope === 'service' ? finding.service_id : null,
    reason: decision.reason,
    expires_at: decision.expiresAt,
  };
  try {
    return (await bodyOf(api.POST('/api/v1/vulnerabilities/acceptances', { body }))).id;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null;
    throw error;
  }
}

/** Deletes acceptances; one that is gone already is as wanted. */
export async function undo(ids: readonly string[], queries: QueryClient): Promise<void> {
  let failed = 0;
  await eachOf(ids, async (acceptance_id) => {
    try {
      const params = { path: { acceptance_id } };
      await bodyOf(api.DELETE('/api/v1/vulnerabilities/acceptances/{acceptance_id}', { params }));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) failed += 1;
    }
  });
  await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  notify(failed === 0 ? text.accept.undone : text.accept.undoFailed(failed));
}

async function eachOf<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
