import type { BriefFacts } from '@bomtrail/messages';
import type { Fit, VisibleVulnerability } from './match-observations';
import { decisionReference } from './decision-reference';
import { detectedAt } from '../../tracking/domain/detected';
import { byVersion, toSnapshot } from '../../tracking/domain/snapshot';
import type { Observation } from '../../tracking/domain/types';
import { grouped } from '../../tracking/domain/grouped';

/** An observation with its tracked vulnerability. */
export interface MatchedObservation {
  observation: Observation;
  vulnerability: VisibleVulnerability;
  fit: Fit;
}

/** A tracked vulnerability as one SBOM contains it. */
export interface MatchedBrief {
  brief: BriefFacts;
  /** Id of its details, by which the risk feeds' values are stored. */
  details: string;
  /** The weakest fit of its observations. */
  fit: Fit;
}

const fits: readonly Fit[] = ['same', 'wider', 'other'];

/**
 * R18 One brief record for each tracked vulnerability, in however many versions of its package the SBOM
 * contains it: the lowest version (R6) with the worst severity, and all versions beside it. Detail, lists,
 * summary and gate count alike (docs/rules.md VU4).
 *
 * @returns in the order of the first observations
 */
export function briefRecords(placed: readonly MatchedObservation[]): MatchedBrief[] {
  return [...grouped(placed, (one) => one.vulnerability.id).values()].map(briefRecord);
}

function briefRecord(placed: MatchedObservation[]): MatchedBrief {
  const vulnerability = (placed[0] as MatchedObservation).vulnerability;
  const observations = placed.map(({ observation }) => observation).sort(byVersion);
  const snapshot = toSnapshot(observations);
  const brief: BriefFacts = {
    id: vulnerability.id,
    cve_id: snapshot.cve_id,
    severity: snapshot.severity,
    cvss_score: snapshot.cvss_score,
    package_name: snapshot.package_name,
    package_version: snapshot.package_version,
    package_versions: snapshot.package_versions,
    purl: snapshot.purl,
    fixed_versions: snapshot.fixed_versions,
    status: vulnerability.status,
    decision: decisionReference(vulnerability.decided),
    detected_at: detectedAt(vulnerability),
    is_direct: snapshot.is_direct,
    is_root: snapshot.is_root ?? false,
    advisory_ids: [...new Set(observations.flatMap(({ advisory_ids }) => advisory_ids))],
  };
  if (observations.length > 1) brief.occurrences = observations.map(occurrenceOf);
  const fit = placed.reduce<Fit>((least, one) => leastFit(least, one.fit), 'same');
  return {
    brief,
    details: snapshot.details,
    fit,
  };
}

function occurrenceOf(one: Observation): NonNullable<BriefFacts['occurrences']>[number] {
  const { package_version, purl, fixed_versions, advisory_ids } = one;
  return { package_version, purl, fixed_versions, advisory_ids };
}

function leastFit(a: Fit, b: Fit): Fit {
  return fits.indexOf(a) < fits.indexOf(b) ? b : a;
}
