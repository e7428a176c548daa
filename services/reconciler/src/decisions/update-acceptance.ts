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
  input: AcceptanceChange,
): Promise<AcceptanceView> {
  const { acceptance_id, of_project, updated_by = null, expires_at, ...content } = input;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const read = await deps.acceptances.byId(acceptance_id);
    if (!read || read.rule || read.pending === 'revert' || !isIn(read, of_project))
      throw new AppError('acceptance_not_found');
    if (read.source !== 'manual') throw new AppError('acceptance_from_document');
    if (read.lapsed) throw new AppError('acceptance_expired');
    if (!canHave(read, content)) return acceptanceView(read);
    const change = contentAfter(read, { ...content, expires_at, updated_by });
    // An expiry that has passed takes effect before it could be moved.
    if ((await lapseExpired(deps, read.project_id)) > 0) continue;
    const changed = await deps.acceptances.change(read, change);
    if (!changed) continue;
    await applyAcceptance(deps, changed);
    return acceptanceView(changed);
  }
  throw new AppError('service_unavailable', 'The decision is being changed by others; try again.');
}

/**
 * What changes in a decision. A kind other than `not_affected` clears the justification.
 *
 * @throws AppError `acceptance_changed_too_often`
 */
export function contentAfter(
  read: AcceptanceDocument,
  {
    expires_at,
    updated_by = null,
    ...content
  }: Omit<AcceptanceChange, 'acceptance_id' | 'of_project' | 'updated_by'> & {
    updated_by?: DecisionActor | null | undefined;
  },
): ContentChange {
  const kinds = read.former.length + Number((content.decision ?? read.decision) !== read.decision);
  if (kinds > mostFormer) throw new AppError('acceptance_changed_too_often');
  return {
    ...content,
    justification: justificationAfter(read, content),
    ...(expires_at !== undefined && { expires_at: expires_at ? new Date(expires_at) : null }),
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
export function canHave(read: Justified, change: Partial<Justified>): boolean {
  return !change.justification || (change.decision ?? read.decision) === 'not_affected';
}

function justificationAfter(
  read: Justified,
  change: Partial<Justified>,
): AcceptanceView['justification'] {
  if ((change.decision ?? read.decision) !== 'not_affected') return null;
  return change.justification === undefined ? read.justification : change.justification;
}
