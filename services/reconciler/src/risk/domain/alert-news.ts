import type { RatedValues } from './risk-values';

/** Whether values changed in a way that alert rules may report (docs/rules.md AL5). */
export interface AlertNews {
  /** Something became known to be exploited. */
  kev: boolean;
  /** A score rose. */
  epss: boolean;
}

type Values = Pick<RatedValues, 'kev' | 'epss_score'>;

/** @param before stored values by details id; what is absent has none */
export function alertNews(
  before: ReadonlyMap<string, Values>,
  after: ReadonlyMap<string, Values>,
): AlertNews {
  const all = [...after].map(([id, values]) => ({ values, stored: before.get(id) }));
  return {
    kev: all.some(({ values, stored }) => values.kev !== null && !stored?.kev),
    epss: all.some(({ values, stored }) => (values.epss_score ?? -1) > (stored?.epss_score ?? -1)),
  };
}
