import type { Vulnerability } from '@bomtrail/api-client';
import type { Accepted } from './accepted';

export type Row = Pick<
  Vulnerability,
  'cve_id' | 'aliases' | 'severity' | 'package_name' | 'package_version' | 'fixed_versions'
>;

/** `unknown` may be anything: somebody has to look. */
const toLookAt: ReadonlySet<Vulnerability['severity']> = new Set(['critical', 'high', 'unknown']);

export interface Verdict<Found extends Row = Row> {
  /** High, critical or of unknown severity, and not accepted: the audit fails. */
  refused: Found[];
  /** The same, but accepted with a reason. */
  accepted: Found[];
  /** Lower ones: told, nothing more. */
  lower: Found[];
  /** Entries of the file to which nothing belongs among these advisories. */
  unused: Accepted[];
}

/** Parts the open vulnerabilities of the dependencies by what is to be done. */
export function judge<Found extends Row>(
  rows: readonly Found[],
  list: readonly Accepted[],
): Verdict<Found> {
  const isMeant = (row: Row, entry: Accepted): boolean =>
    entry.package === row.package_name &&
    [row.cve_id, ...row.aliases].includes(entry.vulnerability);
  const isAccepted = (row: Row): boolean => list.some((entry) => isMeant(row, entry));
  const serious = rows.filter(({ severity }) => toLookAt.has(severity));
  return {
    refused: serious.filter((row) => !isAccepted(row)),
    accepted: serious.filter(isAccepted),
    lower: rows.filter(({ severity }) => !toLookAt.has(severity)),
    unused: list.filter((entry) => !rows.some((row) => isMeant(row, entry))),
  };
}
