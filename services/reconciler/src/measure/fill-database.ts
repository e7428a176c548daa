import type { Db } from 'mongodb';
import type { DetailsDocument, LedgerDocument, RowDocument } from '../store/documents';
import { detailsOf, generateLines, generateVulnerabilities } from './generated-rows';

const atOnce = 5_000;
const saidEvery = 500_000;

/**
 * Fills an empty database with tracked vulnerabilities as an earlier release has left them: the
 * reconciler makes its indexes and counts them when it starts. One that is filled already stays.
 */
export async function fillDatabase(
  db: Db,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const marks = db.collection<{ _id: string }>('bench_filled');
  if (await marks.findOne({ _id: String(count) })) return;
  await db.dropDatabase();
  const weak = { writeConcern: { w: 1, journal: false }, ordered: false };
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const vulnerabilities = generateVulnerabilities();
  const details = db.collection<DetailsDocument>('vulnerability_details');
  await details.insertMany(vulnerabilities.map(detailsOf), weak);
  let waiting: RowDocument[] = [];
  let begun: LedgerDocument[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await Promise.all([rows.insertMany(waiting, weak), ledgers.insertMany(begun, weak)]);
    done += waiting.length;
    if (Math.floor(done / saidEvery) > Math.floor((done - waiting.length) / saidEvery))
      say(`${done} of ${count} rows stored`);
    [waiting, begun] = [[], []];
  };
  for (const line of generateLines(count, vulnerabilities)) {
    waiting.push(...line.rows);
    begun.push(line.ledger);
    if (waiting.length >= atOnce) await flush();
  }
  await flush();
  await marks.insertOne({ _id: String(count) }, { writeConcern: { w: 'majority', journal: true } });
}
