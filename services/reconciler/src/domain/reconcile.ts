import { dispose } from './dispose';
import { forget, takeEntry, type Presence } from './fold';
import { identify } from './identify';
import { show } from './show';
import type { Coverer, LogEntry, Observation, Row, Shown } from './types';
import { uniteGroups } from './unite-groups';

/** The facts that the rows of a version line follow from. */
export interface Facts {
  /** A service's id is the id of its line. */
  service_id: string;
  /** Identities, and for `append` the rows as they stand. */
  rows: readonly Row[];
  acceptances: readonly Coverer[];
  /** What the scan of a component set says; every digest of the entries at hand has one. */
  observations: ReadonlyMap<string, readonly Observation[]>;
  now: string;
  newId: () => string;
}

/** The rows of a line and its newest entry. */
export interface Ledger {
  head: LogEntry | null;
  rows: Row[];
}

/**
 * The rows of a line from its whole log: the same facts give the same rows, in whatever order the
 * scans ended.
 *
 * @param log the entries that exist and are scanned, in any order
 */
export function recompute(facts: Facts, log: readonly LogEntry[]): Ledger {
  // Versions whose scans say the same share the list: each is looked at once.
  const lists = new Set(log.map(({ digest }) => facts.observations.get(digest) ?? []));
  const observed = [...lists].flat();
  const identified = identify(facts.rows, uniteGroups(observed), facts.newId);
  let presence: Presence = {
    head: null,
    rows: new Map(identified.rows.map((row) => [row.id, forget(row)])),
  };
  const heldByList = new Map<readonly Observation[] | undefined, Map<string, Shown>>();
  let before: Map<string, Shown> | null = null;
  for (const entry of [...log].sort((a, b) => a.seq - b.seq)) {
    const list = facts.observations.get(entry.digest);
    const held = heldByList.get(list) ?? heldBy(facts, entry.digest, identified.rowIdOf);
    heldByList.set(list, held);
    // What holds the same as the entry before changes no row.
    presence =
      held === before ? { head: entry, rows: presence.rows } : takeEntry(presence, entry, held);
    before = held;
  }
  return {
    head: presence.head,
    rows: settle(facts, presence.rows.values()),
  };
}

/**
 * The usual step: one more entry at the end of the log. Null when identities were reshaped, so that
 * the past changes too: then `recompute`.
 */
export function append(facts: Facts, head: LogEntry | null, entry: LogEntry): Ledger | null {
  const observed = facts.observations.get(entry.digest) ?? [];
  const identified = identify(facts.rows, uniteGroups(observed), facts.newId);
  if (identified.reshaped) return null;
  const presence = takeEntry(
    { head, rows: new Map(identified.rows.map((row) => [row.id, row])) },
    entry,
    heldBy(facts, entry.digest, identified.rowIdOf),
  );
  return { head: entry, rows: settle(facts, presence.rows.values()) };
}

function settle(facts: Facts, rows: Iterable<Row>): Row[] {
  return dispose(rows, facts.acceptances, { service_id: facts.service_id, now: facts.now });
}

/** What the scan of a component set shows, by row id. */
export function heldBy(
  facts: Facts,
  digest: string,
  rowIdOf: (packageKey: string, alias: string) => string | undefined,
): Map<string, Shown> {
  const observed = facts.observations.get(digest);
  if (!observed) throw new Error(`The scan of component set ${digest} is not at hand.`);
  const byRow = new Map<string, Observation[]>();
  for (const observation of observed) {
    const rowId = rowIdOf(observation.package_key, (observation.aliases[0] ?? '').toUpperCase());
    if (rowId === undefined) throw new Error(`No row stands for ${observation.cve_id}.`);
    byRow.set(rowId, [...(byRow.get(rowId) ?? []), observation]);
  }
  return new Map([...byRow].map(([rowId, observations]) => [rowId, show(observations)]));
}
