export const tabs = ['findings', 'dependencies', 'coverage'] as const;
export type SbomTab = (typeof tabs)[number];

export interface SbomSearch {
  tab?: SbomTab;
  /** Narrows the dependencies. */
  q?: string;
}

/** Takes what is valid; what is left out is the default. */
export function parseSbomSearch(search: Record<string, unknown>): SbomSearch {
  const tab = tabs.find((one) => one === search['tab']);
  const q = typeof search['q'] === 'string' && search['q'] !== '' ? search['q'] : undefined;
  return { ...(tab && tab !== 'findings' ? { tab } : {}), ...(q ? { q } : {}) };
}
