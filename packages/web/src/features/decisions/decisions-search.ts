import { idOf, wordsOf } from '../../app/search-params';
import { decisionKinds } from '../findings/decision-kinds';

/** The search parameters of `/decisions`. What is left out is everything. */
export interface DecisionsSearch {
  project_id?: string;
  /** Comma-separated. */
  decision?: string;
}

/** Takes what is valid; anything else in an address counts as left out. */
export function parseDecisionsSearch(search: Record<string, unknown>): DecisionsSearch {
  const project = idOf(search['project_id']);
  const decision = wordsOf(String(search['decision'] ?? ''), decisionKinds).join(',');
  return {
    ...(project ? { project_id: project } : {}),
    ...(decision === '' ? {} : { decision }),
  };
}
