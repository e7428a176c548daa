import type { ActiveDecision } from './decision-types';
import type { Facts } from './reconcile';
import type { SbomVersion, Observation } from './types';

/** `lodash@4.17.15 GHSA-1 CVE-1`: package, version, aliases; the first alias is the matching advisory. */
export function observation(text: string): Observation {
  const [component = '', ...aliases] = text.split(' ');
  const [name = '', version = ''] = component.split('@');
  return {
    package_key: `npm|${name}`,
    package_name: name,
    package_version: version,
    purl: `pkg:npm/${name}@${version}`,
    ecosystem: 'npm',
    is_direct: false,
    fixed_versions: [],
    details: aliases.join(),
    aliases,
    advisory_ids: aliases.slice(0, 1),
    cve_id: aliases.at(-1) ?? '',
    severity: 'high',
    cvss_score: 7.5,
    published_at: null,
  };
}

export function sbomVersion(seq: number, digest: string): SbomVersion {
  return { sbom_id: `sbom-${seq}`, seq, digest, created_at: new Date(seq * 1000).toISOString() };
}

/** Builds facts from scans given as lists of texts. Ids are `vulnerability-001`, `vulnerability-002`, … */
export function factsOf(scans: Record<string, string[]>, rest: Partial<Facts> = {}): Facts {
  let last = rest.vulnerabilities?.length ?? 0;
  return {
    service_id: 'service',
    vulnerabilities: [],
    acceptances: [],
    observations: new Map(
      Object.entries(scans).map(([digest, texts]) => [digest, texts.map(observation)]),
    ),
    now: new Date(0).toISOString(),
    newId: () => `vulnerability-${String(++last).padStart(3, '0')}`,
    ...rest,
  };
}

/** A decision on an alias group in the whole project, by default an accepted risk without end. */
export function decisionOn(
  identity: readonly string[],
  changes: Partial<ActiveDecision> = {},
): ActiveDecision {
  return {
    id: 'decision',
    decision: 'risk_accepted',
    source: 'manual',
    identity,
    is_global: false,
    services: null,
    expires_at: null,
    decided_at: '2026-01-01T00:00:00.000Z',
    ticket_url: null,
    assignee: null,
    ...changes,
  };
}
