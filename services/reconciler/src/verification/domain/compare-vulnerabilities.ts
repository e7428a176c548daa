import type { Difference } from './difference';
import { sameValue } from '../../tracking/domain/same-value';
import type { TrackedVulnerability, PresenceInterval } from '../../tracking/domain/types';

const fields = [
  'status',
  'decided',
  'merged_into',
  'presence',
  'first_seen_at',
  'last_seen',
  'identity',
  'snapshot',
] as (keyof TrackedVulnerability)[];
const longestValue = 200;

/**
 * Compares the stored vulnerabilities of a service with the expected ones; at most one difference for each.
 *
 * @param expected recomputed from the stored vulnerabilities, so that known ones keep their ids
 */
export function compareVulnerabilities(
  stored: readonly TrackedVulnerability[],
  expected: readonly TrackedVulnerability[],
): Difference[] {
  const known = new Map(stored.map((vulnerability) => [vulnerability.id, vulnerability]));
  const same = (field: keyof TrackedVulnerability, ...both: TrackedVulnerability[]): boolean => {
    const [a, b] = both.map((one) => (field === 'presence' ? rangesOf(one) : one[field]));
    return sameValue(a, b);
  };
  return expected.flatMap((vulnerability): Difference[] => {
    const current = known.get(vulnerability.id);
    if (!current) {
      return [
        {
          kind: 'vulnerability-missing',
          id: null,
          about: nameOf(vulnerability),
          stored: 'no tracked vulnerability',
          expected: `a tracked vulnerability with ${formatFields(vulnerability, ['status', 'presence'])}`,
        },
      ];
    }
    const differing = fields.filter((field) => !same(field, current, vulnerability));
    if (differing.length === 0) return [];
    return [
      {
        kind: 'vulnerability-differs',
        id: vulnerability.id,
        about: nameOf(vulnerability.snapshot ? vulnerability : current),
        stored: formatFields(current, differing, vulnerability),
        expected: formatFields(vulnerability, differing, current),
      },
    ];
  });
}

/** The intervals without times of detection, which follow from nothing else that is stored. */
function rangesOf({ presence }: TrackedVulnerability): PresenceInterval[] {
  return presence.map(({ from, to }) => ({ from, to }));
}

/** `npm|lodash CVE-2021-23337`: the package and the vulnerability. */
export function nameOf(vulnerability: TrackedVulnerability): string {
  return `${vulnerability.package_key} ${vulnerability.snapshot?.cve_id ?? vulnerability.origin}`;
}

/** Formats the named fields; of a snapshot only what differs from `other`. */
function formatFields(
  vulnerability: TrackedVulnerability,
  names: readonly (keyof TrackedVulnerability)[],
  other?: TrackedVulnerability,
): string {
  return names
    .map((field) => {
      if (field === 'presence') return `in ${formatPresence(vulnerability.presence)}`;
      if (field === 'snapshot' && vulnerability.snapshot && other?.snapshot)
        return formatSnapshotDifference(vulnerability.snapshot, other.snapshot);
      if (field === 'merged_into') return `merged into ${vulnerability.merged_into ?? 'none'}`;
      return `${field} ${formatValue(vulnerability[field])}`;
    })
    .join(', ');
}

function formatPresence(presence: readonly PresenceInterval[]): string {
  if (presence.length === 0) return 'no SBOM';
  const ranges = presence.map(({ from, to }) =>
    from === to ? `${from}` : `${from}–${to ?? 'now'}`,
  );
  return truncate(`the SBOMs ${ranges.join(', ')}`);
}

function formatSnapshotDifference(
  snapshot: NonNullable<TrackedVulnerability['snapshot']>,
  other: NonNullable<TrackedVulnerability['snapshot']>,
): string {
  const names = Object.keys({ ...snapshot, ...other }) as (keyof typeof snapshot)[];
  return names
    .filter((name) => !sameValue(snapshot[name], other[name]))
    .map((name) => `${name} ${formatValue(snapshot[name])}`)
    .join(', ');
}

/** Formats a value on one line. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'absent';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value));
}

function truncate(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
