import {
  isInScope,
  AppError,
  type AcceptanceView,
  type DecisionActor,
  type ProjectScope,
  type RequestOf,
  type updateAcceptance as definition,
} from '@bomtrail/messages';
import { allProjects, type AcceptanceDocument } from '../tracking/store/documents';
import { acceptanceView } from './acceptance-view';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import type { ContentChange } from './ports';

/** The fields to be changed; absent ones stay. */
type AcceptanceChange = RequestOf<typeof definition>;

/** The same of a decision or a standing rule. */
type RequestedChange = Omit<AcceptanceChange, 'acceptance_id' | 'of_project' | 'updated_by'> & {
  updated_by?: DecisionActor | null | undefined;
  /** Of a rule. */
  name?: string | undefined;
};

/** How often a decision may change between read and write. */
const attempts = 20;
/** Changes of the kind that a decision remembers; beyond it is a new decision. */
const mostFormer = 50;

/**
 * Changes what a decision says; its scope stays. When this resolves, all lists reflect it. A kind other than
 * `not_affected` clears the justification; a change that gives it one is not made, and the decision is returned as it is.
 *
 * @throws AppError `acceptance_not_found`, `acceptance_expired`, `acceptance_from_document`
 */
export async function updateAcceptance(
  deps: ApplyAcceptanceDeps & LapseExpiredDeps,
  { acceptance_id, of_project, ...content }: AcceptanceChange,
): Promise<AcceptanceView> {
  const existing = async (): Promise<AcceptanceDocument> => {
    const read = await deps.acceptances.byId(acceptance_id);
    if (!read || read.rule || read.pending === 'revert' || !isIn(read, of_project))
      throw new AppError('acceptance_not_found');
    if (read.source !== 'manual') throw new AppError('acceptance_from_document');
    return read;
  };
  const changed = await changeDecision(deps, existing, content);
  if (changed) await applyAcceptance(deps, changed);
  return acceptanceView(changed ?? (await existing()));
}

/**
 * Changes what a decision or a standing rule says; the vulnerabilities do not reflect it yet. Null: it cannot have the
 * justification, and stays as it is.
 *
 * @param existing reads it, or fails
 * @throws AppError `acceptance_expired`, `acceptance_changed_too_often`
 */
export async function changeDecision(
  deps: ApplyAcceptanceDeps & LapseExpiredDeps,
  existing: () => Promise<AcceptanceDocument>,
  content: RequestedChange,
): Promise<AcceptanceDocument | null> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const read = await existing();
    if (read.lapsed) throw new AppError('acceptance_expired');
    if (!canHave(read, content)) return null;
    const change = contentAfter(read, content);
    // An expiry that has passed takes effect before it could be moved.
    if ((await lapseExpired(deps, read.project_id)) > 0) continue;
    const changed = await deps.acceptances.change(read, change);
    if (changed) return changed;
  }
  throw new AppError('service_unavailable', 'The decision is being changed by others; try again.');
}

/** What changes in a decision. A kind other than `not_affected` clears the justification. */
function contentAfter(
  read: AcceptanceDocument,
  { expires_at, updated_by = null, name, ...content }: RequestedChange,
): ContentChange {
  const kinds = read.former.length + Number((content.decision ?? read.decision) !== read.decision);
  if (kinds > mostFormer) throw new AppError('acceptance_changed_too_often');
  return {
    ...content,
    justification: justificationAfter(read, content),
    ...(expires_at !== undefined && { expires_at: expires_at ? new Date(expires_at) : null }),
    ...(read.rule && name !== undefined && { rule: { ...read.rule, name } }),
    updated_by,
  };
}

/** Decisions for all projects have operations of their own. */
function isIn(
  { project_id }: AcceptanceDocument,
  ofProject: ProjectScope | null | undefined,
): boolean {
  return project_id !== allProjects && isInScope(ofProject, project_id);
}

type Justified = Pick<AcceptanceView, 'decision' | 'justification'>;

/** Whether the decision can have the justification that a change gives it (DC3). */
function canHave(read: Justified, change: Partial<Justified>): boolean {
  return !change.justification || (change.decision ?? read.decision) === 'not_affected';
}

function justificationAfter(
  read: Justified,
  change: Partial<Justified>,
): AcceptanceView['justification'] {
  if ((change.decision ?? read.decision) !== 'not_affected') return null;
  return change.justification === undefined ? read.justification : change.justification;
}
