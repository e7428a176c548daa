import { bandOf, readVector } from './cvss';
import type { Severity } from './cvss';
import type { OsvAffected, OsvRecord, OsvSeverity } from './record';

export interface Rating {
  severity: Severity;
  /** CVSS base score, null when the source has only a term. */
  score: number | null;
  /** null when the source has a score without a vector. */
  vector: string | null;
  /** Id of the record that the severity is from, null when it is unknown. */
  source: string | null;
}

/** An advisory and its `affected` entries for the package. */
export interface RatedAdvisory {
  record: OsvRecord;
  entries: readonly OsvAffected[];
}

const UNKNOWN: Rating = { severity: 'unknown', score: null, vector: null, source: null };

/**
 * Rule M18: the severity of a group comes from the first set of records that has one: the matching
 * advisories, the other advisories of the group in any feed, the CVE records of the group (M49).
 * Order within a set:
 *
 * 1. CVSS vectors: the affected entry's before the record's, then the highest CVSS version, then
 * the highest score. Malformed vectors are ignored.
 * 2. Base scores without a vector: the highest CVSS version, then the highest score.
 * 3. The source's term: the entry's before the record's, then the most severe.
 *
 * Otherwise `unknown`. If several records state the same, the smallest id is the source; the order
 * of records does not matter. Source: docs/rules.md VU6, `severity`.
 *
 * @param sets the sets of records, by priority
 */
export function rate(...sets: (readonly RatedAdvisory[])[]): Rating {
  return sets.map(rateOneSet).find((rating) => rating !== null) ?? UNKNOWN;
}

function rateOneSet(advisories: readonly RatedAdvisory[]): Rating | null {
  const inEntries = <Value>(valuesOf: (entry: OsvAffected) => Value[]): Stated<Value>[] =>
    advisories.flatMap(({ record: { id }, entries }) =>
      entries.flatMap(valuesOf).map((value) => ({ value, source: id })),
    );
  const inRecords = <Value>(valuesOf: (record: OsvRecord) => Value[]): Stated<Value>[] =>
    advisories.flatMap(({ record }) =>
      valuesOf(record).map((value) => ({ value, source: record.id })),
    );
  return (
    best(inEntries((entry) => entryVectors(entry).flatMap(vectorScore))) ??
    best(inRecords((record) => recordVectors(record).flatMap(vectorScore))) ??
    best(inRecords(statedScores)) ??
    worst(inEntries(entryWords)) ??
    worst(inRecords(recordWords))
  );
}

/** A value and the id of the record that states it. */
interface Stated<Value> {
  value: Value;
  source: string;
}

interface Score {
  version: string;
  score: number;
  vector: string | null;
}

function best(stated: readonly Stated<Score>[]): Rating | null {
  const [first] = stated.toSorted(
    ({ value: a, source: sourceA }, { value: b, source: sourceB }) =>
      Number(b.version) - Number(a.version) ||
      b.score - a.score ||
      // A fixed tie-break keeps the result stable.
      compareText(a.vector ?? '', b.vector ?? '') ||
      compareText(sourceA, sourceB),
  );
  if (first === undefined) return null;
  const { source, value } = first;
  return { severity: bandOf(value.score), score: value.score, vector: value.vector, source };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function vectorScore(text: string): Score[] {
  const read = readVector(text);
  return read === null ? [] : [read];
}

function entryVectors(entry: OsvAffected): string[] {
  const { cvss } = entry.database_specific;
  return [...entry.severity.filter(isCvss).map(({ score }) => score), ...(cvss ? [cvss] : [])];
}

function recordVectors(record: OsvRecord): string[] {
  return record.severity.filter(isCvss).map(({ score }) => score);
}

function isCvss({ type }: OsvSeverity): boolean {
  return type.startsWith('CVSS');
}

function statedScores({ database_specific: stated }: OsvRecord): Score[] {
  const scores: [string, number | undefined][] = [
    ['4', stated.cvss_v4],
    ['3', stated.cvss_v3],
    ['2', stated.cvss_v2],
  ];
  return scores.flatMap(([version, score]) =>
    score === undefined || !(score >= 0 && score <= 10) ? [] : [{ version, score, vector: null }],
  );
}

/**
 * Rule M19: terms of the sources, ignoring case. Red Hat's `important` is high, Debian's
 * `unimportant` and Ubuntu's `negligible` are low. Other terms (`unknown`, `not yet assigned`) are
 * ignored.
 */
const WORDS: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['high', 'high'],
  ['important', 'high'],
  ['moderate', 'medium'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
  ['negligible', 'low'],
  ['unimportant', 'low'],
  ['none', 'none'],
]);

const WORST_FIRST: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'none'];

function worst(stated: readonly Stated<string | undefined>[]): Rating | null {
  const said = stated.map(({ value, source }) => ({
    severity: WORDS.get((value ?? '').trim().toLowerCase()),
    source,
  }));
  for (const severity of WORST_FIRST) {
    const sources = said.filter((one) => one.severity === severity).map(({ source }) => source);
    const [source] = sources.toSorted(compareText);
    if (source !== undefined) return { severity, score: null, vector: null, source };
  }
  return null;
}

function entryWords(entry: OsvAffected): (string | undefined)[] {
  return [
    ...entry.severity.filter((severity) => !isCvss(severity)).map(({ score }) => score),
    entry.ecosystem_specific.severity,
    entry.ecosystem_specific.urgency,
    entry.database_specific.severity,
  ];
}

function recordWords(record: OsvRecord): (string | undefined)[] {
  return [
    ...record.severity.filter((severity) => !isCvss(severity)).map(({ score }) => score),
    record.database_specific.severity,
  ];
}
