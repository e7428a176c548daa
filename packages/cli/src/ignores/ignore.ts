import type { BriefVulnerability } from '@bomtrail/api-client';

/** An entry of the ignore file. */
export interface Ignore {
  /** Any id of the vulnerability, in any case. */
  id: string;
  reason: string;
  /** The first moment at which the entry no longer applies. */
  expiresAt: Date;
  /** Full name, or purl without version; undefined: whatever package has the vulnerability. */
  package: string | undefined;
  /** Line in the file, from 1. */
  line: number;
}

type Named = Pick<
  BriefVulnerability,
  'cve_id' | 'advisory_ids' | 'aliases' | 'package_name' | 'purl'
>;

/** Whether an entry names this finding, by any of its ids. */
export function ignores(entry: Ignore, finding: Named): boolean {
  const id = entry.id.toLowerCase();
  const ids = [finding.cve_id, ...finding.advisory_ids, ...(finding.aliases ?? [])];
  if (!ids.some((one) => one.toLowerCase() === id)) return false;
  const wanted = entry.package?.toLowerCase();
  if (wanted === undefined) return true;
  return (
    finding.package_name.toLowerCase() === wanted ||
    (finding.purl !== null && withoutVersion(finding.purl).toLowerCase() === wanted)
  );
}

/** The entry that applies to a finding now, of several the one that lasts longest. */
export function activeIgnore(
  entries: readonly Ignore[],
  finding: Named,
  now: Date,
): Ignore | undefined {
  return entries
    .filter(({ expiresAt }) => expiresAt > now)
    .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime())
    .find((entry) => ignores(entry, finding));
}

/** A purl without version, qualifiers and subpath; a scope's `@` is no version. */
export function withoutVersion(purl: string): string {
  const base = purl.split(/[?#]/, 1)[0] ?? '';
  const at = base.lastIndexOf('@');
  return at > base.lastIndexOf('/') ? base.slice(0, at) : base;
}
