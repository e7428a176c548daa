import type { Difference } from './difference';
import type { LogEntry } from './types';

/** An SBOM as the catalog holds it. */
export interface RegisteredSbom extends LogEntry {
  scanned: boolean;
  /** Its delete has begun. */
  deleting: boolean;
}

/** An SBOM as the log holds it: the entry, or that it was removed. */
export type Logged = LogEntry | { sbom_id: string; removed: true };

/** How a log differs from what the catalog says. */
export interface LogComparison {
  differences: Difference[];
  /** The log as it should be, by sequence. */
  entries: LogEntry[];
  /** What is to be stored in the place of what is: entries, and signs of removal. */
  fixes: Logged[];
}

/**
 * The log of a line against the catalog's records, the one truth about which SBOMs there are:
 *
 * - an SBOM that is scanned has an entry;
 * - an entry, and no removed one, has an SBOM; and both agree on its place, its component set, its time.
 *
 * An SBOM comes into the catalog before it comes into the log and leaves the log before it leaves the
 * catalog, so that with the records from before and from after the log was read work in progress is no
 * difference.
 */
export function compareLog(
  logged: readonly Logged[],
  before: readonly RegisteredSbom[],
  after: readonly RegisteredSbom[],
): LogComparison {
  const earlier = new Map(before.map((sbom) => [sbom.sbom_id, sbom]));
  const later = new Map(after.map((sbom) => [sbom.sbom_id, sbom]));
  const comparison: LogComparison = { differences: [], entries: [], fixes: [] };
  const inLog = new Set<string>();
  for (const one of logged) {
    const { sbom_id } = one;
    const known = later.get(sbom_id) ?? earlier.get(sbom_id);
    if ('removed' in one) {
      if (isAlive(earlier.get(sbom_id)) && isAlive(later.get(sbom_id))) continue;
      inLog.add(sbom_id);
    } else {
      inLog.add(sbom_id);
      compareEntry(one, known, comparison);
    }
  }
  for (const sbom of after) {
    const was = earlier.get(sbom.sbom_id);
    if (inLog.has(sbom.sbom_id) || !isAlive(sbom) || !isAlive(was)) continue;
    const removed = logged.some(({ sbom_id }) => sbom_id === sbom.sbom_id);
    if (!removed && (!sbom.scanned || !was?.scanned)) continue;
    const entry = entryOf(sbom);
    comparison.entries.push(entry);
    comparison.fixes.push(entry);
    comparison.differences.push({
      kind: 'log-entry-missing',
      id: sbom.sbom_id,
      about: `SBOM with sequence ${sbom.seq}`,
      stored: removed ? 'removed from the log' : 'not in the log',
      expected: `in the log: the catalog has it${sbom.scanned ? ' as scanned' : ''}`,
    });
  }
  comparison.entries.sort((a, b) => a.seq - b.seq);
  return comparison;
}

function compareEntry(
  entry: LogEntry,
  known: RegisteredSbom | undefined,
  comparison: LogComparison,
): void {
  const { sbom_id } = entry;
  if (!known) {
    comparison.fixes.push({ sbom_id, removed: true });
    comparison.differences.push({
      ...{ kind: 'log-entry-extra', id: sbom_id, about: `SBOM with sequence ${entry.seq}` },
      ...{ stored: 'in the log', expected: 'not in the log: the catalog does not have it' },
    });
    return;
  }
  const expected = entryOf(known);
  comparison.entries.push(expected);
  const fields = (['seq', 'digest', 'created_at'] as const).filter(
    (field) => entry[field] !== expected[field],
  );
  if (fields.length === 0) return;
  const told = (one: LogEntry): string =>
    fields.map((field) => `${field} ${one[field]}`).join(', ');
  comparison.fixes.push(expected);
  comparison.differences.push({
    ...{ kind: 'log-entry-differs', id: sbom_id, about: `SBOM with sequence ${expected.seq}` },
    ...{ stored: told(entry), expected: told(expected) },
  });
}

function isAlive(sbom: RegisteredSbom | undefined): boolean {
  return sbom !== undefined && !sbom.deleting;
}

function entryOf({ sbom_id, seq, digest, created_at }: RegisteredSbom): LogEntry {
  return { sbom_id, seq, digest, created_at };
}
