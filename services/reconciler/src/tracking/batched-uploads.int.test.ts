import type { SbomVersionDocument } from './store/documents';
import { MongoClient } from 'mongodb';
import type { ServiceStateDocument } from './store/documents';
import { ownReconciler } from '../testing/fault-points';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { completeRescan } from './complete-rescan';
import { createAcceptance } from '../decisions/create-acceptance';
import { reconcileSbom } from './reconcile-sbom';

let harness: TestReconciler;
let catalog: FakeCatalog;
let client: MongoClient;
let commands: string[] = [];
let requested: string[] = [];

beforeAll(async () => {
  harness = await startReconciler({ processes: 0 });
  catalog = fakeCatalog(harness);
  client = await new MongoClient(harness.servers.mongoUri, { monitorCommands: true }).connect();
  client.on('commandStarted', ({ command, commandName }) => {
    const of = String(command[commandName]);
    if (commandName !== 'endSessions' && of !== 'vulnerability_details')
      commands.push(of === '1' ? commandName : `${commandName} ${of}`);
  });
  harness.beforeScanResponse = async (digest) => void requested.push(digest);
});
afterAll(async () => {
  await client?.close();
  await harness?.stop();
});
beforeEach(() => {
  commands = [];
  requested = [];
});

/** What takes uploads, as a process does; its commands are noted. */
function uploads() {
  return ownReconciler({ ...harness, db: client.db(harness.db.databaseName) }).batched;
}

const findings = Array.from({ length: 20 }, (_one, n) => `p${n}@1.0.0 GHSA-${n} CVE-${n}`);
const newSet = (): string => harness.newSet(...findings);
async function isRight(...services: RegisteredService[]): Promise<void> {
  for (const service of services)
    expect(await verified(harness, { service })).toMatchObject({
      verdicts: [],
      totals: { services: 1 },
    });
}

/** How often each command was sent, whatever the order of those that wait for none. */
function sent(): string[] {
  return [...commands].sort();
}

const written = ['update service_states', 'insert sbom_versions', 'commitTransaction'];
const ofNewServices = [
  'find acceptance_epochs',
  'find service_states',
  'update known_projects',
  'update count_totals',
  'insert tracked_vulnerabilities',
  'find acceptance_epochs',
  ...written,
].sort();

describe('The database is asked', () => {
  test('for a new service nine times, one transaction included', async () => {
    const service = catalog.newService();
    await reconcileSbom(uploads(), service.upload(newSet()));
    expect(sent()).toEqual(ofNewServices);
    await isRight(service);
  });

  test('for sixteen new services at once as often as for one', async () => {
    const deps = uploads();
    const [one, two] = [catalog.newService(), catalog.newService()];
    const services = Array.from({ length: 14 }, () => catalog.newService(two.project_id));
    const digest = newSet();
    const scans = [one, two, ...services].map((service) => ({
      ...service.upload(digest),
      evaluated_revision: 1,
    }));
    await deps.scans.read({ digest, packages: null }, 1);
    commands = [];
    await Promise.all(scans.map((scan) => reconcileSbom(deps, scan)));
    expect(sent()).toEqual(ofNewServices);
    expect(requested).toEqual([digest]);
    await isRight(one, two, ...services);
  });

  test('five times for the next SBOM of a service with the same findings', async () => {
    const deps = uploads();
    const service = catalog.newService();
    await reconcileSbom(deps, service.upload(newSet()));
    commands = [];
    // Another component set, of which the scanner says the same.
    await reconcileSbom(deps, service.upload(newSet()));
    expect(sent()).toEqual(['find acceptance_epochs', 'find service_states', ...written].sort());
    await isRight(service);
  });
});

describe('Of services that are written together', () => {
  test('one whose project was deleted and one that another process has begun do not delay the others', async () => {
    const services = Array.from({ length: 6 }, () => catalog.newService());
    const [deleted, begun, ...others] = services;
    if (!deleted || !begun) throw new Error('There are lines.');
    const digest = newSet();
    const [gone, contested, ...scans] = services.map((service) => service.upload(digest));
    if (!gone || !contested) throw new Error('There are scans.');
    const { deps, batched: other } = ownReconciler(harness);
    const elsewhere = async (): Promise<void> => {
      await deps.deletions.hideProject(deleted.project_id);
      await reconcileSbom(other, contested);
    };
    let meanwhile: Promise<void> | undefined;
    const { batched } = ownReconciler(harness, { beforeSave: () => (meanwhile ??= elsewhere()) });
    await Promise.all([gone, contested, ...scans].map((scan) => reconcileSbom(batched, scan)));
    expect(await deleted.documents()).toEqual([]);
    for (const service of [begun, ...others]) expect(await service.documents()).toHaveLength(20);
    await isRight(begun, ...others);
  });

  test('one that was removed before its scan ended stays away, the others come', async () => {
    const deps = uploads();
    const services = Array.from({ length: 3 }, () => catalog.newService());
    const digest = newSet();
    for (const service of services) await reconcileSbom(deps, service.upload(digest));
    const scans = services.map((service) => service.upload(harness.newSet('vue@1.0.0 GHSA-99')));
    const [service] = services;
    const [scan] = scans;
    if (!service || !scan) throw new Error('There are lines.');
    await harness.db.collection<SbomVersionDocument>('sbom_versions').insertOne({
      _id: scan.sbom_id,
      service_id: service.service_id,
      project_id: service.project_id,
      removed: true,
    });
    service.deleteSbomOf(scan.sbom_id);
    await Promise.all(scans.map((one) => reconcileSbom(deps, one)));
    const heads = await Promise.all(
      services.map(async (one) => {
        const states = harness.db.collection<ServiceStateDocument>('service_states');
        return (await states.findOne({ _id: one.service_id }))?.head?.sbom_id;
      }),
    );
    expect(heads.map((id, index) => id === scans[index]?.sbom_id)).toEqual([false, true, true]);
  });
});

describe('The scanner is asked', () => {
  test('for a set once, as long as the scans of uploads say a revision for which that is right', async () => {
    const deps = uploads();
    const digest = newSet();
    const taken = async (evaluated_revision?: number): Promise<number> => {
      requested = [];
      await reconcileSbom(deps, {
        ...catalog.newService().upload(digest),
        ...(evaluated_revision !== undefined && { evaluated_revision }),
      });
      return requested.length;
    };
    expect(await taken(1)).toBe(1);
    expect(await taken(1)).toBe(0);
    harness.revisions.set(digest, 2);
    harness.setScan(digest, 'vue@1.0.0 GHSA-99');
    expect(await taken(2)).toBe(1);
    expect(await taken(1)).toBe(0);
    expect(await taken()).toBe(1);
  });

  test('anew where an advisory change has reached the service before an upload whose scan is older', async () => {
    const deps = uploads();
    const service = catalog.newService();
    const digest = harness.newSet('lodash@1.0.0 GHSA-1');
    const upload = () => ({ ...service.upload(digest), evaluated_revision: 1 });
    const first = upload();
    await reconcileSbom(deps, first);
    const second = upload();
    harness.revisions.set(digest, 2);
    harness.setScan(digest, 'lodash@1.0.0 GHSA-1', 'vue@1.0.0 GHSA-9');
    const { lane: _lane, revision: _revision, attempt: _attempt, ...sbom } = first;
    const { evaluated_revision: _evaluated, ...reported } = sbom;
    const change = { sboms: [reported], revision: 2, packages: ['npm|vue'] };
    await completeRescan(ownReconciler(harness).batched, change);
    await reconcileSbom(deps, second);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open', 'vue GHSA-9': 'open' });
    await isRight(service);
  });
});

describe('An SBOM with the findings of the one before it', () => {
  test('leaves vulnerabilities that an acceptance has changed meanwhile as they are', async () => {
    const deps = uploads();
    const service = catalog.newService();
    await reconcileSbom(deps, service.upload(newSet()));
    const [vulnerability] = await service.documents();
    const given = { project_id: service.project_id, service_id: null, reason: 'r' };
    const own = ownReconciler(harness).deps;
    const vulnerability_id = vulnerability?._id ?? '';
    await createAcceptance(own, { ...given, vulnerability_id, expires_at: null });
    for (let upload = 0; upload < 2; upload++) await reconcileSbom(deps, service.upload(newSet()));
    const accepted = (await service.documents()).filter(({ status }) => status === 'accepted');
    expect(accepted.map(({ _id }) => _id)).toEqual([vulnerability?._id]);
    await isRight(service);
  });

  test('is read where the stored findings hash is of an older version of the service state', async () => {
    const deps = uploads();
    const service = catalog.newService();
    await reconcileSbom(deps, service.upload(newSet()));
    const states = harness.db.collection<ServiceStateDocument>('service_states');
    await states.updateOne({ _id: service.service_id }, { $inc: { version: 1 } });
    commands = [];
    await reconcileSbom(deps, service.upload(newSet()));
    expect(commands).toContain('find tracked_vulnerabilities');
    await isRight(service);
  });
});
