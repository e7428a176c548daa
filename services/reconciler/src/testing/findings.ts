import { createHash } from 'node:crypto';
import type {
  Finding,
  FindingsReport,
  SetsFindings,
  VulnerabilityDetails,
} from '@bomtrail/messages';
import { observation } from '../domain/testing';

/** One finding with what people read about it. */
export interface ToldFinding {
  finding: Finding;
  told: VulnerabilityDetails;
}

/** A finding from a short text, see `observation`; `rest` overrides what is told of it. */
export function finding(text: string, rest: Partial<VulnerabilityDetails> = {}): ToldFinding {
  const seen = observation(text);
  const told: VulnerabilityDetails = {
    cve_id: seen.cve_id,
    aliases: seen.aliases,
    advisory_ids: seen.advisory_ids,
    severity: seen.severity,
    cvss_score: seen.cvss_score,
    cvss_vector: null,
    title: `About ${seen.cve_id}`,
    description: '',
    published_at: seen.published_at,
    modified_at: null,
    references: [],
    ...rest,
  };
  const { package_key, package_name, package_version, purl, ecosystem } = seen;
  return {
    told,
    finding: {
      ...{ package_key, package_name, package_version, purl, ecosystem },
      ...{ is_direct: seen.is_direct, fixed_versions: seen.fixed_versions },
      details: createHash('sha256').update(JSON.stringify(told)).digest('hex'),
    },
  };
}

/** The scanner's answer that holds these findings. */
export function reportOf(findings: readonly ToldFinding[]): FindingsReport {
  return {
    findings: findings.map((one) => one.finding),
    vulnerabilities: Object.fromEntries(
      findings.map((one) => [one.finding.details, one.told] as const),
    ),
  };
}

/** A component set as the scanner knows it. */
export interface ToldSet {
  digest: string;
  revision: number;
  findings: readonly ToldFinding[];
}

/** The scanner's answer of several sets: equal findings once. */
export function sharedReportOf(
  sets: readonly ToldSet[],
  packages: readonly string[] | null,
): SetsFindings {
  const places = new Map<string, number>();
  const shared: ToldFinding[] = [];
  const placeOf = (one: ToldFinding): number => {
    const key = JSON.stringify(one);
    const place = places.get(key) ?? shared.push(one) - 1;
    places.set(key, place);
    return place;
  };
  return {
    sets: sets.map(({ digest, revision, findings }) => ({
      ...{ digest, revision },
      findings: findings
        .filter(({ finding: { package_key } }) => packages?.includes(package_key) ?? true)
        .map(placeOf),
    })),
    ...reportOf(shared),
  };
}
