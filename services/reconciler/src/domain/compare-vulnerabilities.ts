import type { Difference } from './difference';
import { sameValue } from './same-value';
import type { TrackedVulnerability, PresenceInterval } from './types';

const fields = [
  ...['status', 'merged_into', 'presence', 'first_seen_at', 'last_seen', 'identity', 'snapshot'],
] as (keyof TrackedVulnerability)[];
const longestValue = 200;

/**
 * The rows of a line as they are stored against those that follow from the facts: one difference a row.
 *
 * @param expected of a recomputation over the stored rows, so that what is not new has its id
 */
export function compareVulnerabilities(
  stored: readonly TrackedVulnerability[],
  expected: readonly TrackedVulnerability[],
): Difference[] {
  const known = new Map(stored.map((vulnerability) => [vulnerability.id, vulnerability]));
  return expected.flatMap((vulnerability): Difference[] => {
    const held = known.get(vulnerability.id);
    if (!held) {
      return [
        {
          ...{ kind: 'vulnerability-missing', id: null, about: nameOf(vulnerability) },
          ...{
            stored: 'no row',
            expected: `a row with ${tell(vulnerability, ['status', 'presence'])}`,
          },
        },
      ];
    }
    const differing = fields.filter((field) => !sameValue(held[field], vulnerability[field]));
    if (differing.length === 0) return [];
    return [
      {
        ...{
          kind: 'vulnerability-differs',
          id: vulnerability.id,
          about: nameOf(vulnerability.snapshot ? vulnerability : held),
        },
        stored: tell(held, differing, vulnerability),
        expected: tell(vulnerability, differing, held),
      },
    ];
  });
}

/** `npm|lodash CVE-2021-23337`: the package and the vulnerability. */
export function nameOf(vulnerability: TrackedVulnerability): string {
  return `${vulnerability.package_key} ${vulnerability.snapshot?.cve_id ?? vulnerability.origin}`;
}

/** What a row says in these fields; of what it shows only that in which it differs from `other`. */
function tell(
  vulnerability: TrackedVulnerability,
  told: readonly (keyof TrackedVulnerability)[],
  other?: TrackedVulnerability,
): string {
  return told
    .map((field) => {
      if (field === 'presence') return `in ${tellRuns(vulnerability.presence)}`;
      if (field === 'snapshot' && vulnerability.snapshot && other?.snapshot)
        return tellShown(vulnerability.snapshot, other.snapshot);
      if (field === 'merged_into') return `merged into ${vulnerability.merged_into ?? 'none'}`;
      return `${field} ${tellValue(vulnerability[field])}`;
    })
    .join(', ');
}

function tellRuns(presence: readonly PresenceInterval[]): string {
  if (presence.length === 0) return 'no SBOM';
  const ranges = presence.map(({ from, to }) =>
    from === to ? `${from}` : `${from}–${to ?? 'now'}`,
  );
  return cut(`the SBOMs ${ranges.join(', ')}`);
}

function tellShown(
  snapshot: NonNullable<TrackedVulnerability['snapshot']>,
  other: NonNullable<TrackedVulnerability['snapshot']>,
): string {
  const names = Object.keys({ ...snapshot, ...other }) as (keyof typeof snapshot)[];
  return names
    .filter((name) => !sameValue(snapshot[name], other[name]))
    .map((name) => `${name} ${tellValue(snapshot[name])}`)
    .join(', ');
}

/** A value as one line. */
export function tellValue(value: unknown): string {
  if (value === undefined) return 'absent';
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
