import type { RatedValues } from '../domain/risk-values';

/** Risk values as the details document stores them: with a date to sort by, and what is missing. */
export function riskFields(values: RatedValues) {
  const kev_sort = values.kev && values.kev.date_added;
  return {
    ...values,
    kev_sort,
    missing: {
      epss_score: values.epss_score === null,
      kev_sort: kev_sort === null,
      risk: values.risk === null,
    },
  };
}
