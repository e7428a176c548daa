import type { Db } from 'mongodb';
import type {
  DetailsDocument,
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import { detailsOf, generateServices, generateVulnerabilities } from './generated-vulnerabilities';

import { recordStoreLayout } from '../tracking/store/store-layout';
import { storeIndexes } from '../store-indexes';
import { countServiceStates } from '../tracking/store/count-service-states';

const atOnce = 5_000;
const reportEvery = 500_000;

/**
 * Fills an empty database with tracked vulnerabilities, creates the indexes and counts them. A database that is filled already
 * stays as it is.
 */
export async function fillDatabase(
  db: Db,
  { vulnerabilities: count, perService = 50 }: { vulnerabilities: number; perService?: number },
  say: (line: string) => void,
): Promise<void> {
  const marks = db.collection<{ _id: string }>('bench_filled');
  const mark = perService === 50 ? String(count) : `${count} in ${perService}`;
  if (await marks.findOne({ _id: mark })) return;
  await db.dropDatabase();
  await recordStoreLayout(db);
  const weak = { writeConcern: { w: 1, journal: false }, ordered: false };
  const tracked = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = generateVulnerabilities();
  const details = db.collection<DetailsDocument>('vulnerability_details');
  await details.insertMany(vulnerabilities.map(detailsOf), weak);
  let waiting: TrackedVulnerabilityDocument[] = [];
  let begun: ServiceStateDocument[] = [];
  let versions: SbomVersionDocument[] = [];
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  let done = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await Promise.all([
      tracked.insertMany(waiting, weak),
      states.insertMany(begun, weak),
      sbomVersions.insertMany(versions, weak),
    ]);
    done += waiting.length;
    if (Math.floor(done / reportEvery) > Math.floor((done - waiting.length) / reportEvery))
      say(`${done} of ${count} tracked vulnerabilities stored`);
    [waiting, begun, versions] = [[], [], []];
  };
  for (const service of generateServices({ count, perService }, vulnerabilities)) {
    waiting.push(...service.vulnerabilities);
    begun.push(service.state);
    versions.push(...service.versions);
    if (waiting.length >= atOnce) await flush();
  }
  await flush();
  for (const [name, indexes] of Object.entries(storeIndexes))
    await db.collection(name).createIndexes([...indexes]);
  await countServiceStates({ db, client: db.client, isUp: async () => true });
  await marks.insertOne({ _id: mark }, { writeConcern: { w: 'majority', journal: true } });
}
