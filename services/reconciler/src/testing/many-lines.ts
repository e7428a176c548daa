import { v7 as newId } from 'uuid';
import { show } from '../domain/show';
import { observation } from '../domain/testing';
import type { Row } from '../domain/types';
import type { LedgerDocument, RowDocument } from '../store/documents';
import { countLedgers } from '../store/prepare-lists';
import { toDocument } from '../store/row-mapping';
import type { TestReconciler } from './start-reconciler';

/** Documents in one insert. */
const atOnce = 5_000;

/**
 * Stores lines of one project as reconciling them would, each with a row for each of the
 * vulnerabilities.
 *
 * @param vulnerabilities short texts, see `observation`
 * @returns the ids of the lines
 */
export async function storeLines(
  { db }: Pick<TestReconciler, 'db'>,
  project_id: string,
  given: { lines: number; vulnerabilities: readonly string[]; status: 'open' | 'accepted' },
): Promise<string[]> {
  const ids = Array.from({ length: given.lines }, () => newId());
  const head = { seq: 1, digest: 'd'.repeat(64), created_at: new Date(1e12).toISOString() };
  const ledgers = ids.map((_id): LedgerDocument => {
    return { _id, project_id, version: 1, head: { sbom_id: newId(), ...head }, revision: 1 };
  });
  const rows = ids.flatMap((service_id) =>
    given.vulnerabilities.map((text) =>
      toDocument({ ...openRow(text), status: given.status }, { service_id, project_id }),
    ),
  );
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    await db.collection<RowDocument>('tracked_vulnerabilities').insertMany(some);
  }
  // Last: a line that is there is counted with the rows that it has.
  await db.collection<LedgerDocument>('ledgers').insertMany(ledgers);
  await countLedgers({ db, client: db.client, isUp: async () => true });
  return ids;
}

function openRow(text: string): Row {
  const seen = observation(text);
  return {
    id: newId(),
    package_key: seen.package_key,
    origin: seen.aliases[0] ?? '',
    identity: [...seen.aliases].sort(),
    runs: [{ from: 1, to: null }],
    first_seen_at: new Date(1e12).toISOString(),
    last_seen: null,
    shown: show([seen]),
    status: 'open',
    merged_into: null,
  };
}
