import { idOf } from '../../app/search-params';

export interface PlanSearch {
  project_id?: string;
  page?: string;
}

/** Takes what is valid; what is left out is the default. */
export function parsePlanSearch(search: Record<string, unknown>): PlanSearch {
  const project = idOf(search['project_id']);
  const page = String(search['page'] ?? '');
  return {
    ...(project ? { project_id: project } : {}),
    ...(/^[1-9]\d{0,6}$/.test(page) && page !== '1' ? { page } : {}),
  };
}
