import type { VulnerabilitySum } from '@bomtrail/messages';
import type { OpenVulnerability } from './package-in-use';
import { noCounts } from '../../queries/domain/group-vulnerabilities';

/** As `maxNamedVulnerabilities`. */
const maxNamed = 500;

/**
 * Sums up vulnerabilities, each as often as services have it.
 *
 * @param times number of services by vulnerability
 */
export function sumVulnerabilities(
  times: ReadonlyMap<OpenVulnerability, number>,
): VulnerabilitySum {
  const sum: VulnerabilitySum = {
    total: 0,
    counts: noCounts(),
    kev: 0,
    max_epss: null,
    risk: 0,
    ids: [],
  };
  const named = new Map<string, number>();
  for (const [one, count] of times) {
    sum.total += count;
    sum.counts[one.severity] += count;
    if (one.kev) sum.kev += count;
    if (one.epss_score !== null) sum.max_epss = Math.max(sum.max_epss ?? 0, one.epss_score);
    sum.risk += (one.risk ?? 0) * count;
    named.set(one.cve_id, Math.max(named.get(one.cve_id) ?? 0, one.risk ?? 0));
  }
  sum.risk = rounded(sum.risk);
  sum.ids = [...named]
    .sort(([a, risk], [b, other]) => other - risk || (a < b ? -1 : 1))
    .slice(0, maxNamed)
    .map(([id]) => id);
  return sum;
}

/** The sum of two sums, without ids. */
export function addSums(a: VulnerabilitySum, b: VulnerabilitySum): VulnerabilitySum {
  const counts = { ...a.counts };
  for (const severity of Object.keys(counts) as (keyof typeof counts)[])
    counts[severity] += b.counts[severity];
  const scores = [a.max_epss, b.max_epss].filter((score) => score !== null);
  return {
    total: a.total + b.total,
    counts,
    kev: a.kev + b.kev,
    max_epss: scores.length === 0 ? null : Math.max(...scores),
    risk: rounded(a.risk + b.risk),
    ids: [],
  };
}

function rounded(risk: number): number {
  return Math.round(risk * 10) / 10;
}
