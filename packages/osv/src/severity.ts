import { bandOf, readVector } from './cvss';
import type { CvssScore, Severity } from './cvss';
import type { OsvAffected, OsvRecord, OsvSeverity } from './record';

export interface Rating {
  severity: Severity;
  /** CVSS base score, null when the source has only a term. */
  score: number | null;
  /** null when the source has a score without a vector. */
  vector: string | null;
}

/** An advisory and its `affected` entries for the package. */
export interface RatedAdvisory {
  record: OsvRecord;
  entries: readonly OsvAffected[];
}

const UNKNOWN: Rating = { severity: 'unknown', score: null, vector: null };

/**
 * Rule M18: the severity of a group. The matching advisories come first; the others count only if
 * those have none. Order:
 *
 * 1. CVSS vectors: the affected entry's before the record's, then the highest CVSS version, then
 * the highest score. Malformed vectors are ignored.
 * 2. Base scores without a vector: the highest CVSS version, then the highest score.
 * 3. The source's term: the entry's before the record's, then the most severe.
 *
 * Otherwise `unknown`. The order of advisories does not matter. Source: docs/rules.md VU6,
 * `severity`.
 */
export function rate(matching: readonly RatedAdvisory[], others: readonly RatedAdvisory[]): Rating {
  return rateOneSet(matching) ?? rateOneSet(others) ?? UNKNOWN;
}

function rateOneSet(advisories: readonly RatedAdvisory[]): Rating | null {
  const entries = advisories.flatMap((advisory) => advisory.entries);
  const records = advisories.map((advisory) => advisory.record);
  return (
    best(entries.flatMap(entryVectors).flatMap(vectorRating)) ??
    best(records.flatMap(recordVectors).flatMap(vectorRating)) ??
    best(records.flatMap(statedScores)) ??
    worst(entries.flatMap(entryWords)) ??
    worst(records.flatMap(recordWords))
  );
}

interface Ranked extends Rating {
  score: number;
  version: string;
}

function best(candidates: readonly Ranked[]): Rating | null {
  const [first] = candidates.toSorted(
    (a, b) =>
      Number(b.version) - Number(a.version) ||
      b.score - a.score ||
      // A fixed tie-break keeps the result stable.
      ((a.vector ?? '') < (b.vector ?? '') ? -1 : 1),
  );
  if (first === undefined) return null;
  return { severity: first.severity, score: first.score, vector: first.vector };
}

function vectorRating(text: string): Ranked[] {
  const read: CvssScore | null = readVector(text);
  return read === null ? [] : [{ ...read, severity: bandOf(read.score) }];
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

function statedScores({ database_specific: stated }: OsvRecord): Ranked[] {
  const scores: [string, number | undefined][] = [
    ['4', stated.cvss_v4],
    ['3', stated.cvss_v3],
    ['2', stated.cvss_v2],
  ];
  return scores.flatMap(([version, score]) =>
    score === undefined || !(score >= 0 && score <= 10)
      ? []
      : [{ version, score, vector: null, severity: bandOf(score) }],
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

function worst(words: readonly (string | undefined)[]): Rating | null {
  const said = words.map((word) => WORDS.get((word ?? '').trim().toLowerCase()));
  const severity = WORST_FIRST.find((candidate) => said.includes(candidate));
  return severity === undefined ? null : { severity, score: null, vector: null };
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
