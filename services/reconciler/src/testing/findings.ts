import { createHash } from 'node:crypto';
import type {
  Finding,
  FindingsReport,
  SetsFindings,
  VulnerabilityDetails,
} from '@bomtrail/messages';
import { observation } from '../tracking/domain/testing';

/** A finding with its details. */
export interface FakeFinding {
  finding: Finding;
  details: VulnerabilityDetails;
}

/** A finding from a short text (see `observation`); `rest` overrides its details. */
export function finding(text: string, rest: Partial<VulnerabilityDetails> = {}): FakeFinding {
  const seen = observation(text);
  const details: VulnerabilityDetails = {
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
    details,
    finding: {
      package_key,
      package_name,
      package_version,
      purl,
      ecosystem,
      is_direct: seen.is_direct,
      fixed_versions: seen.fixed_versions,
      details: createHash('sha256').update(JSON.stringify(details)).digest('hex'),
    },
  };
}

/** A scanner report with these findings. */
export function reportOf(findings: readonly FakeFinding[]): FindingsReport {
  return {
    findings: findings.map((one) => one.finding),
    vulnerabilities: Object.fromEntries(
      findings.map((one) => [one.finding.details, one.details] as const),
    ),
  };
}

/** A component set of the fake scanner. */
export interface FakeSet {
  digest: string;
  revision: number;
  findings: readonly FakeFinding[];
}

/** A scanner report over several sets; equal findings are listed once. */
export function sharedReportOf(
  sets: readonly FakeSet[],
  packages: readonly string[] | null,
): SetsFindings {
  const indexes = new Map<string, number>();
  const shared: FakeFinding[] = [];
  const indexFor = (one: FakeFinding): number => {
    const key = JSON.stringify(one);
    const index = indexes.get(key) ?? shared.push(one) - 1;
    indexes.set(key, index);
    return index;
  };
  return {
    sets: sets.map(({ digest, revision, findings }) => ({
      digest,
      revision,
      findings: findings
        .filter(({ finding: { package_key } }) => packages?.includes(package_key) ?? true)
        .map(indexFor),
    })),
    ...reportOf(shared),
  };
}
