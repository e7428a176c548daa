import { idOf, parsePageSearch, type PageSearch } from '../../app/search-params';

export interface PlanSearch extends PageSearch {
  project_id?: string;
}

/** Takes what is valid; what is left out is the default. */
export function parsePlanSearch(search: Record<string, unknown>): PlanSearch {
  const project = idOf(search['project_id']);
  return {
    ...(project ? { project_id: project } : {}),
    ...parsePageSearch(search),
  };
}
