import type { RiskValues } from '../domain/risk-values';

/** Risk values as the details document stores them, with the flags of missing ones. */
export function riskFields({ epss_score, epss_percentile, kev, risk }: RiskValues) {
  const kev_sort = kev && kev.date_added;
  return {
    epss_score,
    epss_percentile,
    kev,
    kev_sort,
    risk,
    'missing.epss_score': epss_score === null,
    'missing.kev_sort': kev_sort === null,
    'missing.risk': risk === null,
  };
}
