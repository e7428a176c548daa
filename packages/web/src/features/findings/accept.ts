import type { QueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { ApiError, mayBeDone } from '../../api/errors';
import { isSignedIn } from '../../app/session';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import type { DecisionKind, Justification } from './decision-kinds';
import { findingDetail, vulnerabilitiesKey, type Finding } from './findings-queries';

export interface Decision {
  kind: DecisionKind;
  /** Of `not_affected` only. */
  justification: Justification | null;
  ticketUrl: string | null;
  reason: string;
  /** `service`: each finding's own service; `project`: all of its project, later ones included. */
  scope: 'service' | 'project';
  /** ISO 8601; null: never. */
  expiresAt: string | null;
}

/** Requests at once: enough to be quick, few enough to leave the server to others. */
const atOnce = 4;

/**
 * Decides about findings, each once, and offers to undo it. What is decided the same way already counts as done
 * beside others, as when two findings are one vulnerability in two packages; alone it is refused.
 *
 * @param onProgress receives how many are dealt with, after each
 * @throws ApiError of the first refusal, after the others have been decided
 */
export async function acceptFindings(
  findings: readonly Finding[],
  decision: Decision,
  { queries, onProgress }: { queries: QueryClient; onProgress: (done: number) => void },
): Promise<void> {
  let done = 0;
  const ids: string[] = [];
  const decidedBefore: Finding[] = [];
  let failure: unknown = null;
  let conflict: unknown = null;
  await eachOf(findings, async (finding) => {
    // The session has ended: the rest would be refused one by one.
    if (!isSignedIn()) return;
    try {
      ids.push(await accept(finding, decision));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        conflict ??= error;
        decidedBefore.push(finding);
      } else failure ??= error;
    }
    done += 1;
    onProgress(done);
  });
  await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  if (ids.length > 0)
    notify(text.accept.done(ids.length, findings.length), () => void undo(ids, queries));
  else failure ??= conflict;
  // Such as one that is in triage, which stays open.
  await eachOf(failure ? [] : decidedBefore, async ({ id }) => {
    const now = await queries.fetchQuery(findingDetail(id)).catch(() => null);
    if (now?.decision?.decision !== decision.kind) failure ??= conflict;
  });
  if (failure) throw failure as Error;
}

/**
 * Ends a decision. That it is not found does not say that it is gone: a caller cannot end one for all projects here, nor
 * one of a project in which they may only read.
 */
export async function endDecision(acceptance_id: string, queries: QueryClient): Promise<void> {
  let said: string = text.accept.ended;
  try {
    await deleteAcceptance(acceptance_id);
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    if (isUnknown) said = text.accept.notEnded;
    else said = mayBeDone(error) ? text.errors.mayBeDone : text.accept.undoFailed(1);
  }
  await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  notify(said);
}

async function deleteAcceptance(acceptance_id: string): Promise<void> {
  const params = { path: { acceptance_id } };
  await bodyOf(api.DELETE('/api/v1/vulnerabilities/acceptances/{acceptance_id}', { params }));
}

async function accept(finding: Finding, decision: Decision): Promise<string> {
  const body = {
    project_id: finding.project_id,
    vulnerability_id: finding.id,
    service_id: decision.scope === 'service' ? finding.service_id : null,
    reason: decision.reason,
    expires_at: decision.expiresAt,
    decision: decision.kind,
    justification: decision.kind === 'not_affected' ? decision.justification : null,
    ticket_url: decision.ticketUrl,
  };
  return (await bodyOf(api.POST('/api/v1/vulnerabilities/acceptances', { body }))).id;
}

/** Deletes acceptances that were just made; one that is gone already is as wanted. */
async function undo(ids: readonly string[], queries: QueryClient): Promise<void> {
  let failed = 0;
  let unclear = false;
  await eachOf(ids, async (acceptance_id) => {
    try {
      await deleteAcceptance(acceptance_id);
    } catch (error) {
      if (mayBeDone(error)) unclear = true;
      else if (!(error instanceof ApiError && error.status === 404)) failed += 1;
    }
  });
  await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  if (unclear) notify(text.errors.mayBeDone);
  if (failed > 0) notify(text.accept.undoFailed(failed));
  else if (!unclear) notify(text.accept.undone);
}

async function eachOf<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
