import { maxRiskScores, readRiskScores, type RiskScores } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { cvesOf, riskValues, type RatedValues } from './domain/risk-values';
import type { RatedDetails } from './ports';

/**
 * Computes the risk values of details from the scanner's current scores.
 *
 * @returns by details id
 * @throws AppError `service_unavailable` if the scanner cannot be asked
 */
export async function rateDetails(
  { request }: { request: Request },
  details: readonly RatedDetails[],
): Promise<Map<string, RatedValues>> {
  const cves = [...new Set(details.flatMap(({ alias_keys }) => cvesOf(alias_keys)))];
  const scores = new Map<string, RiskScores>();
  for (let at = 0; at < cves.length; at += maxRiskScores) {
    const page = { cves: cves.slice(at, at + maxRiskScores) };
    for (const one of (await request(readRiskScores, page)).body.scores) scores.set(one.cve, one);
  }
  return new Map(
    details.map((one) => {
      const own = cvesOf(one.alias_keys).flatMap((cve) => scores.get(cve) ?? []);
      return [one.id, riskValues(one, own)];
    }),
  );
}
