import { isCveRecord } from './cve-record';
import type { Severity } from './cvss';
import { compareIds, isCve } from './ids';
import type { OsvRecord, OsvReference } from './record';
import { rate } from './severity';
import type { RatedAdvisory } from './severity';

/** Description of one vulnerability (an alias group) in one package. */
export interface VulnerabilityDetails {
  /** A CVE if the group has one, else another id. */
  cve_id: string;
  /** Every id of the group: CVE, GHSA, then the others. */
  aliases: string[];
  /** Ids of the matching advisories, in the same order. */
  advisory_ids: string[];
  /** Other CVEs that the matching advisories name as upstream (M17); absent: none. */
  upstream?: string[];
  severity: Severity;
  /** CVSS base score, null when no source has one. */
  cvss_score: number | null;
  cvss_vector: string | null;
  /** Id of the advisory that the severity is from, `CVE record`, or null when it is unknown. */
  severity_source: string | null;
  title: string;
  /** Markdown, may be empty. */
  description: string;
  /** ISO 8601 or null: the earliest publication of the matching advisories, else of the others. */
  published_at: string | null;
  /** ISO 8601 or null: the latest change of the matching advisories, else of the others. */
  modified_at: string | null;
  references: { type: string; url: string }[];
}

/**
 * Describes one alias group in one package. Fields are taken from the matching advisories first,
 * ordered by id; the input order does not matter. Withdrawn advisories contribute their ids only,
 * CVE records (M49) the severity only.
 * Source: docs/rules.md VU5, VU6.
 *
 * - M18, M19: severity, score and vector, see `rate`.
 * - M20: a malicious package (an id begins with `MAL-`) is critical, whatever its score; that id is
 * the source of the severity.
 *
 * @param group `matching`: not empty, with the indices of the matching entries as `evaluate`
 *   returns them
 */
export function describeGroup(group: {
  matching: { record: OsvRecord; affected: number[] }[];
  others: OsvRecord[];
}): VulnerabilityDetails {
  const matching = group.matching.toSorted((a, b) => compareIds(a.record.id, b.record.id));
  const own = matching.map(({ record }) => record);
  const cveRecords = group.others.filter(isCveRecord);
  const otherAdvisories = group.others.filter((record) => !isCveRecord(record));
  const others = otherAdvisories
    .filter((record) => record.withdrawn === null)
    .toSorted((a, b) => compareIds(a.id, b.id));
  const records = [...own, ...others];

  const ids = idsOf([...own, ...otherAdvisories]);
  const malicious = ids.find((id) => id.startsWith('MAL-'));
  const rating = rate(
    matching.map(({ record, affected }) => ({
      record,
      entries: record.affected.filter((_entry, index) => affected.includes(index)),
    })),
    others.map(withAllEntries),
    cveRecords.map(withAllEntries),
  );
  const description = firstText(records.map(({ details }) => details));
  const cveId = idsOf(own).find(isCve) ?? ids[0] ?? '';
  return {
    cve_id: cveId,
    aliases: ids,
    advisory_ids: [...new Set(own.map(({ id }) => id))],
    ...upstreamOf(own, ids),
    severity: malicious === undefined ? rating.severity : 'critical',
    cvss_score: rating.score,
    cvss_vector: rating.vector,
    severity_source: malicious ?? sourceName(rating.source),
    title: firstText(records.map(({ summary }) => summary)) || headline(description) || cveId,
    description,
    published_at: times(own, 'published').at(0) ?? times(others, 'published').at(0) ?? null,
    modified_at: times(own, 'modified').at(-1) ?? times(others, 'modified').at(-1) ?? null,
    references: referencesOf(records),
  };
}

function withAllEntries(record: OsvRecord): RatedAdvisory {
  return { record, entries: record.affected };
}

function sourceName(id: string | null): string | null {
  return id !== null && isCveRecord({ id }) ? CVE_RECORD_SOURCE : id;
}

/** `severity_source` of a severity from a CVE record. */
const CVE_RECORD_SOURCE = 'CVE record';

function idsOf(records: readonly OsvRecord[]): string[] {
  const ids = new Set(records.flatMap(({ id, aliases }) => [id, ...aliases]));
  return [...ids].toSorted(compareIds);
}

/**
 * What a distribution fixes in its package with a notice, such as DSA, RHSA or UBUNTU-CVE. These are
 * not the same vulnerability: only EPSS, KEV, searches and VEX statements go by them.
 */
function upstreamOf(own: readonly OsvRecord[], ids: readonly string[]): { upstream?: string[] } {
  const cves = new Set(own.flatMap(fixedBy).filter(isCve));
  for (const id of ids) cves.delete(id);
  return cves.size === 0 ? {} : { upstream: [...cves].toSorted(compareIds) };
}

/** AlmaLinux names what its notices fix as `related`. Source: its records of 2019 to 2026 in OSV's export. */
function fixedBy({ id, upstream, related }: OsvRecord): string[] {
  return /^AL[BES]A-/.test(id) ? [...upstream, ...related] : upstream;
}

function firstText(texts: readonly string[]): string {
  return texts.map((text) => text.trim()).find((text) => text !== '') ?? '';
}

/** Long enough for a sentence, short enough for a list. */
const HEADLINE_LENGTH = 120;

/** The first line of a description, without Markdown's heading signs; used as title. */
function headline(description: string): string {
  const line = (description.split('\n', 1)[0] ?? '').replace(/^[#\s]+/, '').trim();
  const letters = [...line];
  if (letters.length <= HEADLINE_LENGTH) return line;
  return `${letters
    .slice(0, HEADLINE_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

/** Ascending, without the year-1 timestamps that mean "not set". */
function times(records: readonly OsvRecord[], field: 'published' | 'modified'): string[] {
  return records
    .map((record) => record[field])
    .filter((time) => time !== null && !time.startsWith('0001-'))
    .toSorted() as string[];
}

function referencesOf(records: readonly OsvRecord[]): OsvReference[] {
  const byUrl = new Map<string, OsvReference>();
  for (const { type, url } of records.flatMap(({ references }) => references)) {
    if (!byUrl.has(url)) byUrl.set(url, { type, url });
  }
  return [...byUrl.values()];
}
