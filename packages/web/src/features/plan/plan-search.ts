export interface PlanSearch {
  project_id?: string;
  page?: string;
}

/** Takes what is valid; what is left out is the default. */
export function parsePlanSearch(search: Record<string, unknown>): PlanSearch {
  const project = String(search['project_id'] ?? '');
  const page = String(search['page'] ?? '');
  return {
    ...(/^[\da-f-]{36}$/i.test(project) ? { project_id: project } : {}),
    ...(/^[1-9]\d{0,6}$/.test(page) && page !== '1' ? { page } : {}),
  };
}
