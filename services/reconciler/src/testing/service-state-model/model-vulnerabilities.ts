import type { DecisionKind } from '@bomtrail/messages';
import type {
  Observation,
  TrackedStatus,
  PresenceInterval,
  Snapshot,
} from '../../tracking/domain/types';

/** An existing, scanned SBOM. */
export interface ModelSbom {
  id: string;
  /** Upload order. */
  seq: number;
  uploaded_at: string;
  observations: readonly Observation[];
  /** Its observations are those at the time when it expired. */
  expired?: true;
}

export interface ModelAcceptance {
  id: string;
  decision: DecisionKind;
  /** Of a person; else of a document. */
  isManual: boolean;
  decided_at: string;
  /** The accepted alias group, upper case. */
  names: readonly string[];
  service_id: string | null;
  expires_at: string | null;
}

/** The expected data of one vulnerability in one package of a service, without its id. */
export interface ModelVulnerability {
  package_key: string;
  /** Every alias in any SBOM, upper case, sorted. */
  names: string[];
  /** The smallest matching advisory. */
  first_advisory: string;
  status: TrackedStatus;
  /** The decision that determines the status; null: none. */
  decided_by: string | null;
  contradicted: boolean;
  presence: PresenceInterval[];
  first_seen_at: string;
  last_seen: { sbom_id: string; at: string } | null;
  snapshot: Snapshot;
  /** The last SBOM that contains it is expired: the snapshot is the one that was stored last. */
  isOfExpired: boolean;
}

/**
 * The vulnerabilities of a service by docs/rules.md VU1 and VU2, computed naively: every vulnerability is
 * looked up in every SBOM.
 */
export function modelVulnerabilities(facts: {
  service_id: string;
  sboms: readonly ModelSbom[];
  acceptances: readonly ModelAcceptance[];
  now: string;
}): ModelVulnerability[] {
  const sboms = [...facts.sboms].sort((a, b) => a.seq - b.seq);
  return vulnerabilities(sboms).map(({ package_key, names }) => {
    const isIt = (one: Observation): boolean =>
      one.package_key === package_key && upper(one.aliases).some((name) => names.includes(name));
    const containing = sboms.filter(({ observations }) => observations.some(isIt));
    const first = containing[0] as ModelSbom;
    const last = containing.at(-1) as ModelSbom;
    const isOpen = last === sboms.at(-1);
    const snapshot = comparable(last.observations.filter(isIt));
    const applying = facts.acceptances.filter(
      (one) =>
        (one.service_id === null || one.service_id === facts.service_id) &&
        (one.expires_at === null || Date.parse(facts.now) < Date.parse(one.expires_at)) &&
        upper(snapshot.aliases).some((name) => one.names.includes(name)),
    );
    return {
      package_key,
      names,
      snapshot,
      isOfExpired: last.expired ?? false,
      first_advisory: containing
        .flatMap(({ observations }) => observations.filter(isIt))
        .flatMap(({ advisory_ids }) => upper(advisory_ids))
        .sort()[0] as string,
      status: isOpen ? modelStatus(applying) : 'fixed',
      decided_by: isOpen ? (inOrder(applying)[0]?.id ?? null) : null,
      contradicted: isOpen && new Set(applying.map(({ decision }) => decision)).size > 1,
      presence: ranges(sboms, containing),
      first_seen_at: first.uploaded_at,
      last_seen: isOpen ? null : { sbom_id: last.id, at: last.uploaded_at },
    };
  });
}

const statuses = {
  risk_accepted: 'accepted',
  not_affected: 'not_affected',
  false_positive: 'false_positive',
  in_triage: 'open',
} as const;

function modelStatus(applying: readonly ModelAcceptance[]): TrackedStatus {
  const [first] = inOrder(applying);
  return first ? statuses[first.decision] : 'open';
}

/** docs/rules.md DC2, as one text to be sorted: a person, the narrower scope, the later, the greater id. */
function inOrder(applying: readonly ModelAcceptance[]): ModelAcceptance[] {
  const rank = ({ isManual, service_id, decided_at, id }: ModelAcceptance): string =>
    [isManual ? 'b' : 'a', service_id === null ? 'a' : 'b', decided_at, id].join(' ');
  return [...applying].sort((a, b) => (rank(a) < rank(b) ? 1 : -1));
}

/** Names that appear together anywhere are one vulnerability of their package. */
function vulnerabilities(sboms: readonly ModelSbom[]): { package_key: string; names: string[] }[] {
  const found: { package_key: string; names: string[] }[] = [];
  for (const { package_key, aliases } of sboms.flatMap(({ observations }) => observations)) {
    let appended = { package_key, names: upper(aliases) };
    for (const one of [...found]) {
      if (one.package_key !== package_key) continue;
      if (!one.names.some((name) => appended.names.includes(name))) continue;
      found.splice(found.indexOf(one), 1);
      appended = { package_key, names: [...new Set([...one.names, ...appended.names])] };
    }
    found.push(appended);
  }
  return found.map(({ package_key, names }) => ({ package_key, names: names.sort() }));
}

/** Ranges of consecutive SBOMs that contain it; the last one is open-ended if the newest SBOM contains it. */
function ranges(sboms: readonly ModelSbom[], containing: readonly ModelSbom[]): PresenceInterval[] {
  const presence: { from: number; to: number | null }[] = [];
  sboms.forEach((sbom, at) => {
    if (!containing.includes(sbom)) return;
    const before = sboms[at - 1];
    const interval = presence.at(-1);
    if (interval && before && containing.includes(before)) interval.to = sbom.seq;
    else presence.push({ from: sbom.seq, to: sbom.seq });
  });
  const interval = presence.at(-1);
  if (interval && interval.to === sboms.at(-1)?.seq) interval.to = null;
  return presence;
}

const worstFirst = ['critical', 'high', 'medium', 'low', 'unknown', 'none'];

/** The lowest affected version in one SBOM, with all versions beside it, described as the worst of them. */
function comparable(observations: readonly Observation[]): Snapshot {
  const number = ({ package_version }: Observation): number => Number.parseInt(package_version, 10);
  const byNumber = [...observations].sort(
    (a, b) =>
      number(a) - number(b) ||
      (a.purl < b.purl ? -1 : a.purl > b.purl ? 1 : a.details < b.details ? -1 : 1),
  );
  const { package_key: _key, advisory_ids: _ids, ...lowest } = byNumber[0] as Observation;
  const rank = ({ severity }: Observation): number => worstFirst.indexOf(severity);
  const score = ({ cvss_score }: Observation): number => cvss_score ?? -1;
  const [worst = lowest] = [...byNumber].sort((a, b) => rank(a) - rank(b) || score(b) - score(a));
  const { details, aliases, cve_id, severity, cvss_score, published_at } = worst;
  return {
    ...lowest,
    details,
    aliases,
    cve_id,
    severity,
    cvss_score,
    published_at,
    package_versions: [...new Set(byNumber.map(({ package_version }) => package_version))],
    is_direct: observations.some(({ is_direct }) => is_direct),
  };
}

export function upper(names: readonly string[]): string[] {
  return names.map((name) => name.toUpperCase());
}
