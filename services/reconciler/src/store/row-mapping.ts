import type { Severity } from '@bomtrail/messages';
import type { Episodes, Row } from '../domain/types';
import type { RowDocument } from './documents';

const ranks: Record<Severity, number | null> = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  none: 1,
  unknown: null,
};

/** A row that has a severity but no score sorts as the lower bound of its band (decisions.md "Vulnerabilities"). */
const bandFloors: Record<Severity, number | null> = {
  critical: 9,
  high: 7,
  medium: 4,
  low: 0.1,
  none: 0,
  unknown: null,
};

export function toDocument(
  row: Row,
  line: { service_id: string; project_id: string },
): RowDocument {
  const { shown } = row;
  return {
    _id: row.id,
    ...line,
    package_key: row.package_key,
    origin: row.origin,
    identity: row.identity,
    runs: row.runs,
    first_seen_at: row.first_seen_at === null ? null : new Date(row.first_seen_at),
    last_seen: row.last_seen && { sbom_id: row.last_seen.sbom_id, at: new Date(row.last_seen.at) },
    shown,
    status: row.status,
    merged_into: row.merged_into,
    listed: row.status === 'open',
    alias_keys: shown ? shown.aliases.map((alias) => alias.toUpperCase()) : [],
    severity: shown && shown.severity,
    severity_rank: shown && ranks[shown.severity],
    score_sort: shown && (shown.cvss_score ?? bandFloors[shown.severity]),
    cve_id: shown && shown.cve_id,
    package_sort: shown && shown.package_name.toLowerCase(),
    published_at: shown?.published_at ? new Date(shown.published_at) : null,
    ...(row.episodes && { episodes: mapped(row.episodes, (moment) => new Date(moment)) }),
  };
}

export function toRow(document: RowDocument): Row {
  return {
    id: document._id,
    package_key: document.package_key,
    origin: document.origin,
    identity: document.identity,
    runs: document.runs,
    first_seen_at: document.first_seen_at?.toISOString() ?? null,
    last_seen: document.last_seen && {
      sbom_id: document.last_seen.sbom_id,
      at: document.last_seen.at.toISOString(),
    },
    shown: document.shown,
    status: document.status,
    merged_into: document.merged_into,
    ...episodesOf(document),
  };
}

/** The episodes of a stored row, where it has some. */
export function episodesOf({ episodes }: Pick<RowDocument, 'episodes'>): Pick<Row, 'episodes'> {
  return episodes ? { episodes: mapped(episodes, (moment) => moment.toISOString()) } : {};
}

function mapped<From, To>(
  moments: Partial<Record<keyof Episodes, From>>,
  to: (moment: From) => To,
): Partial<Record<keyof Episodes, To>> {
  const entries = Object.entries(moments) as [keyof Episodes, From][];
  return Object.fromEntries(entries.map(([name, moment]) => [name, to(moment)]));
}
