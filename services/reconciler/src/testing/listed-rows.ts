import { severities, type Severity } from '@bomtrail/messages';
import type { Draw } from '@bomtrail/testkit';
import type { Db } from 'mongodb';
import { v7 as newId } from 'uuid';
import type { Row } from '../domain/types';
import type { LedgerDocument, RowDocument } from '../store/documents';
import { sortFields, type ListFilter, type ListOrder } from '../store/list-plan';
import { toDocument } from '../store/row-mapping';

/** Two lines in each of two projects. */
export const lines = ['p1', 'p1', 'p2', 'p2'].map((name, index) => ({
  project_id: `project-${name}`,
  service_id: `line-${index + 1}`,
}));

/**
 * Rows of few different values, so that many are alike, some without a score or a date, some not listed.
 */
export function randomRows(count: number, draw: Draw): RowDocument[] {
  const one = <Value>(values: readonly Value[]): Value => values[draw(values.length)] as Value;
  return Array.from({ length: count }, () => {
    const severity: Severity = one(severities);
    const number = draw(12);
    const package_name = one(['alpha', 'Beta', 'gamma', 'delta']);
    const aliases = [`CVE-2026-${number}`, one([`GHSA-${number}`, 'GHSA-0'])];
    const shown: Row['shown'] = {
      ...{
        package_name,
        package_version: '1',
        package_versions: ['1'],
        purl: '',
        ecosystem: 'npm',
      },
      ...{ fixed_versions: [], is_direct: false, details: '', aliases, severity },
      cve_id: one(aliases),
      cvss_score: one([null, 9.8, 7.5, 7.5, 4]),
      published_at: one([null, ...[1, 2, 3].map((day) => new Date(day * 864e5).toISOString())]),
    };
    const row: Row = {
      ...{ id: newId(), package_key: package_name, origin: '', identity: aliases, runs: [], shown },
      first_seen_at: new Date(one([1, 2, 3]) * 864e5).toISOString(),
      ...{ last_seen: null, merged_into: null },
      status: one(['open', 'open', 'open', 'open', 'accepted', 'fixed']),
    };
    return toDocument(row, one(lines));
  });
}

/** Stores rows with their ledgers as a release has left them that does not count. */
export async function storeRows(db: Db, rows: readonly RowDocument[]): Promise<void> {
  await db.collection<RowDocument>('tracked_vulnerabilities').insertMany([...rows]);
  await db.collection<LedgerDocument>('ledgers').insertMany(
    lines.map(({ service_id: _id, project_id }) => ({
      _id,
      project_id,
      ...{ version: 3, head: null, revision: 0 },
    })),
  );
}

/** What the active list must show, in its order. */
export function naiveList(
  rows: readonly RowDocument[],
  filter: ListFilter,
  { sort, order }: ListOrder,
): string[] {
  const field = sortFields[sort];
  const value = (row: RowDocument): string | number | null => {
    const stored = field && row[field];
    return stored instanceof Date ? stored.getTime() : stored;
  };
  return rows
    .filter((row) => row.listed)
    .filter((row) => [row.project_id, undefined].includes(filter.project_id))
    .filter((row) => [row.service_id, undefined].includes(filter.service_id))
    .filter((row) => !filter.severity?.length || filter.severity.includes(row.severity as Severity))
    .filter((row) => !filter.cve_id || row.alias_keys.includes(filter.cve_id.toUpperCase()))
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === y) return a._id < b._id ? -1 : 1;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y === (order === 'asc') ? -1 : 1;
    })
    .map((row) => row._id);
}
