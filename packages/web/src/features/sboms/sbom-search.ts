export const tabs = ['findings', 'dependencies', 'coverage', 'licences', 'quality'] as const;
export type SbomTab = (typeof tabs)[number];

export interface SbomSearch {
  tab?: SbomTab;
  /** Narrows the dependencies. */
  q?: string;
  /** Only dependencies with findings. */
  vulnerable?: 'true';
  /** Dependencies by what depends on what. */
  view?: 'tree';
  /** The purl of the dependency whose way into the SBOM is shown. */
  why?: string;
}

/** Takes what is valid; what is left out is the default. */
export function parseSbomSearch(search: Record<string, unknown>): SbomSearch {
  const tab = tabs.find((one) => one === search['tab']);
  const words = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, 2048) : undefined;
  };
  const [q, why] = [words('q'), words('why')];
  return {
    ...(tab && tab !== 'findings' ? { tab } : {}),
    ...(q ? { q } : {}),
    ...(search['vulnerable'] === 'true' ? { vulnerable: 'true' } : {}),
    ...(search['view'] === 'tree' ? { view: 'tree' } : {}),
    ...(why ? { why } : {}),
  };
}
