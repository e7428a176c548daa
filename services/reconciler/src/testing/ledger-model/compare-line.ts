import { sameValue } from '../../domain/same-value';
import type { Row } from '../../domain/types';
import type { ServiceStateDriver } from './service-state-driver';
import type { Listed, NaiveIds } from './naive-ids';
import { naiveRows, upper, type ModelRow } from './naive-rows';

type LineFacts = Parameters<typeof naiveRows>[0];

/** What is wrong with the rows of a line, in words. While the line is behind its scans nothing is known of it. */
export function compareLine(driver: ServiceStateDriver, facts: LineFacts, ids: NaiveIds): string[] {
  const { service_id } = facts;
  const rows = driver.rows(service_id);
  const listed = rows.filter(({ runs }) => runs.length > 0);
  if (driver.isBehind(service_id)) {
    ids.remember(
      listed.map((row) => asListed(row, row.origin)),
      (id) => resolve(rows, id),
    );
    return [];
  }
  const wrong: string[] = [];
  const expected = naiveRows(facts);
  const found = expected.map((model) => listed.filter((row) => isRowOf(row, model)));
  const pairs = expected.flatMap((model, index) => {
    const [row, ...more] = found[index] ?? [];
    if (!row || more.length > 0) {
      wrong.push(`${found[index]?.length} rows instead of one for ${text(model)}`);
      return [];
    }
    return [{ row, model }];
  });
  for (const { row, model } of pairs) {
    if (!sameValue(tell(row), tellModel(model)))
      wrong.push(`expected ${text(tellModel(model))}, got ${text(tell(row))}`);
  }
  const extra = listed.filter((row) => !pairs.some((pair) => pair.row === row));
  wrong.push(...extra.map((row) => `a row of nothing: ${text(row)}`));
  if (wrong.length > 0) return wrong;

  const shown = pairs.map(({ row, model }) => ({
    ...{ id: row.id, package_key: row.package_key },
    ...{ names: model.names, first_advisory: model.first_advisory },
  }));
  wrong.push(...ids.problems(shown, (id) => resolve(rows, id)));
  ids.remember(
    pairs.map(({ row, model }) => asListed(row, model.first_advisory)),
    (id) => resolve(rows, id),
  );
  return [...wrong, ...hidden(rows), ...sharedAliases(rows), ...recomputed(driver, facts)];
}

/** A row that no SBOM holds keeps its identity and says nothing else. */
function hidden(rows: readonly Row[]): string[] {
  const nothing = { runs: [], first_seen_at: null, last_seen: null, shown: null };
  return rows
    .filter(({ runs }) => runs.length === 0)
    .filter((row) => {
      const status = row.merged_into === null ? 'vanished' : 'merged';
      const { package_key } = row;
      return !sameValue(tell(row), { package_key, status, ...nothing });
    })
    .map((row) => `not hidden: ${text(row)}`);
}

/** In a package no two rows stand for one alias, those aside that were merged. */
function sharedAliases(rows: readonly Row[]): string[] {
  const owners = new Map<string, string>();
  const wrong: string[] = [];
  for (const { id, package_key, identity } of rows.filter((row) => row.merged_into === null)) {
    for (const alias of identity) {
      const key = `${package_key} ${alias}`;
      if (owners.has(key)) wrong.push(`${id} and ${owners.get(key)} both stand for ${key}`);
      owners.set(key, id);
    }
  }
  return wrong;
}

/** A full recomputation changes nothing. */
function recomputed(driver: ServiceStateDriver, facts: LineFacts): string[] {
  const wrong: string[] = [];
  const newest = [...facts.sboms].sort((a, b) => b.seq - a.seq)[0];
  const head = driver.head(facts.service_id);
  if (newest?.id !== head?.sbom_id) wrong.push(`the newest is ${newest?.id}, not ${head?.sbom_id}`);
  const again = driver.again(facts.service_id);
  if (!sameValue(byId(again), byId(driver.rows(facts.service_id))))
    wrong.push(`recomputed: ${text(again)}, not ${text(driver.rows(facts.service_id))}`);
  return wrong;
}

/** The rows follow from the log and the scans alone, in whatever order the scans ended. */
export function compareWithNothing(driver: ServiceStateDriver, service_id: string): string[] {
  if (driver.isBehind(service_id)) return [];
  const whole = sorted(driver.fromNothing(service_id, driver.entries(service_id).reverse()));
  const rows = sorted(driver.rows(service_id));
  return sameValue(whole, rows) ? [] : [`from nothing: ${text(whole)}, not ${text(rows)}`];
}

function isRowOf(row: Row, model: ModelRow): boolean {
  return (
    row.package_key === model.package_key &&
    asListed(row, '').names.some((name) => model.names.includes(name))
  );
}

function asListed(row: Row, first_advisory: string): Listed {
  const names = upper(row.shown?.aliases ?? []);
  return { id: row.id, package_key: row.package_key, names, first_advisory };
}

function resolve(rows: readonly Row[], id: string): string | undefined {
  const row = rows.find((one) => one.id === id);
  return row?.merged_into ? resolve(rows, row.merged_into) : row?.id;
}

function tell({ package_key, status, runs, first_seen_at, last_seen, shown }: Row) {
  return { package_key, status, runs, first_seen_at, last_seen, shown };
}

function tellModel({ names: _names, first_advisory: _first, ...told }: ModelRow) {
  return told;
}

function sorted(rows: readonly Row[]): string[] {
  return rows
    .filter(({ runs }) => runs.length > 0)
    .map((row) => text(tell(row)))
    .sort();
}

function byId(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const text = (value: unknown): string => JSON.stringify(value);
