import type {
  OsvAffected,
  OsvEvent,
  OsvEventKind,
  OsvRange,
  OsvRecord,
  OsvReference,
  OsvSeverity,
} from './record';

export const EVENT_KINDS: readonly OsvEventKind[] = [
  'introduced',
  'fixed',
  'last_affected',
  'limit',
];

/**
 * Parses one advisory (rule M12). Takes any JSON value and returns the fields used here, or the
 * problem; never throws.
 *
 * Strict for matching: `id`, `modified`, and `affected` with packages, versions and ranges must
 * follow the schema, because a partial record could call a package clean. (`affected` may be
 * absent: such a record only has aliases and severity.) Lenient for display: unknown fields are
 * ignored, and malformed severities, references and aliases are dropped. Source: OSV schema 1.7.5.
 */
export function readRecord(
  json: unknown,
): { ok: true; record: OsvRecord } | { ok: false; problem: string } {
  if (!isObject(json)) return { ok: false, problem: 'the record is not an object' };
  try {
    return { ok: true, record: recordOf(json) };
  } catch (error) {
    if (error instanceof ShapeError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Carries the first problem out of nested readers; does not leave this file. */
class ShapeError extends Error {}

type Json = Readonly<Record<string, unknown>>;

function recordOf(json: Json): OsvRecord {
  const modified = isoTime(json.modified);
  if (modified === null) throw new ShapeError('modified is missing or no timestamp');
  return {
    id: requiredText(json.id, 'id'),
    modified,
    published: isoTime(json.published),
    withdrawn: isSet(json.withdrawn) ? withdrawnOf(json.withdrawn) : null,
    aliases: texts(json.aliases),
    upstream: texts(json.upstream),
    related: texts(json.related),
    summary: text(json.summary),
    details: text(json.details),
    severity: severities(json.severity),
    affected: requiredList(json.affected, 'affected').map(affectedOf),
    references: list(json.references).flatMap(referenceOf),
    database_specific: {
      ...pick(json.database_specific, ['severity'], 'string'),
      ...pick(json.database_specific, ['cvss_v2', 'cvss_v3', 'cvss_v4'], 'number'),
    },
  };
}

function withdrawnOf(json: unknown): string {
  return isoTime(json) ?? requiredText(json, 'withdrawn');
}

function affectedOf(json: unknown, index: number): OsvAffected {
  const at = `affected[${index}]`;
  if (!isObject(json)) throw new ShapeError(`${at} is not an object`);
  const ranges = requiredList(json.ranges, `${at}.ranges`).map((range, i) =>
    rangeOf(range, `${at}.ranges[${i}]`),
  );
  const withoutStart = ranges.findIndex(({ type, events }) => type !== 'GIT' && !hasStart(events));
  if (withoutStart >= 0 && list(json.versions).length === 0)
    throw new ShapeError(`${at}.ranges[${withoutStart}] has no introduced version`);
  return {
    package: isSet(json.package) ? packageOf(json.package, at) : null,
    severity: severities(json.severity),
    ranges,
    versions: requiredList(json.versions, `${at}.versions`).map((version, i) =>
      requiredText(version, `${at}.versions[${i}]`),
    ),
    ecosystem_specific: pick(json.ecosystem_specific, ['severity', 'urgency'], 'string'),
    database_specific: pick(json.database_specific, ['severity', 'cvss'], 'string'),
  };
}

function packageOf(json: unknown, at: string): { ecosystem: string; name: string } {
  if (!isObject(json)) throw new ShapeError(`${at}.package is not an object`);
  return {
    ecosystem: requiredText(json.ecosystem, `${at}.package.ecosystem`),
    name: requiredText(json.name, `${at}.package.name`),
  };
}

function rangeOf(json: unknown, at: string): OsvRange {
  if (!isObject(json)) throw new ShapeError(`${at} is not an object`);
  return {
    type: requiredText(json.type, `${at}.type`),
    events: requiredList(json.events, `${at}.events`).map((event, i) =>
      eventOf(event, `${at}.events[${i}]`),
    ),
  };
}

/** The schema demands it: without one the range would contain nothing. */
function hasStart(events: readonly OsvEvent[]): boolean {
  return events.some(({ introduced }) => introduced !== undefined);
}

function eventOf(json: unknown, at: string): OsvEvent {
  if (!isObject(json)) throw new ShapeError(`${at} is not an object`);
  const event: OsvEvent = {};
  for (const kind of EVENT_KINDS) {
    if (isSet(json[kind])) event[kind] = requiredText(json[kind], `${at}.${kind}`);
  }
  return event;
}

function severities(json: unknown): OsvSeverity[] {
  return list(json).flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { type, score } = entry;
    return typeof type === 'string' && typeof score === 'string' ? [{ type, score }] : [];
  });
}

/** Web addresses only: a link must not run a script. */
function referenceOf(json: unknown): OsvReference[] {
  if (!isObject(json) || typeof json.url !== 'string') return [];
  if (!/^(https?|ftp):\/\//i.test(json.url)) return [];
  return [{ type: text(json.type) || 'WEB', url: json.url }];
}

/** Normalises an RFC 3339 timestamp to ISO text, null for anything else. */
function isoTime(json: unknown): string | null {
  if (typeof json !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(json)) return null;
  const time = Date.parse(json);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function pick<K extends string, T extends 'string' | 'number'>(
  json: unknown,
  keys: readonly K[],
  type: T,
): Partial<Record<K, T extends 'string' ? string : number>> {
  if (!isObject(json)) return {};
  const entries = keys.map((key) => [key, json[key]]).filter(([, value]) => typeof value === type);
  return Object.fromEntries(entries);
}

function requiredText(json: unknown, at: string): string {
  if (typeof json !== 'string' || json === '') throw new ShapeError(`${at} is missing or no text`);
  return json;
}

function requiredList(json: unknown, at: string): readonly unknown[] {
  if (isSet(json) && !Array.isArray(json)) throw new ShapeError(`${at} is not a list`);
  return list(json);
}

function list(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

function text(json: unknown): string {
  return typeof json === 'string' ? json : '';
}

/** Trimmed: some records of Drupal have spaces around the CVE. */
function texts(json: unknown): string[] {
  return list(json)
    .map((item) => text(item).trim())
    .filter((item) => item !== '');
}

function isSet(json: unknown): boolean {
  return json !== undefined && json !== null && json !== '';
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
