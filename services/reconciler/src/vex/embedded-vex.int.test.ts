import { readEmbeddedVex, setEmbeddedVex } from '@bomtrail/messages';
import { handles, packJson } from '@bomtrail/messaging';
import { serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import type { AcceptanceDocument } from '../tracking/store/documents';

let harness: TestReconciler;
let fake: FakeVex;
/** What SBOMs say: status and reason about CVE-1 in versions of lib. */
let said: { status: string; detail: string; version: string }[];

beforeAll(async () => {
  harness = await startReconciler({ processes: 1 });
  fake = serveFakeVex(harness);
  harness.bus.serve(
    handles(readEmbeddedVex, async () => {
      const statements = said.map(({ status, detail }) => {
        const vulnerability = ['CVE-1'];
        const timestamp = '2026-01-01T00:00:00.000Z';
        return { vulnerability, status, detail, timestamp, justification: null, products: [] };
      });
      const matches = said.map(({ version }) => {
        const covers = [{ package_key: 'npm|lib', identity: 'npm|lib', version }];
        return { fits: true, covers };
      });
      const text = JSON.stringify({ statements, matches });
      return { body: { statements: said.length }, attachment: await packJson(text) };
    }),
  );
});
afterAll(() => harness?.stop());

async function newService(): Promise<TestService> {
  const service = new TestService(harness);
  const { project_id } = service;
  await harness.bus.request(setEmbeddedVex, { project_id, mode: 'apply' });
  return service;
}

function upload(service: TestService, ...versions: string[]) {
  const components = versions.map((version) => `lib@${version}`);
  const found = components.map((component) => `${component} GHSA-1 CVE-1`);
  said = versions.map((version) => ({ status: 'not_affected', detail: 'Unused.', version }));
  return fake.upload(service, { root: 'app@1.0.0', components }, ...found);
}

function decisionsIn({ project_id }: TestService): Promise<AcceptanceDocument[]> {
  return harness.db.collection<AcceptanceDocument>('acceptances').find({ project_id }).toArray();
}

const statusesOf = async (service: TestService): Promise<string[]> =>
  Object.values(await service.states());

test('a decision keeps its id and time while each newest SBOM says the same, and names that SBOM', async () => {
  const service = await newService();
  await upload(service, '1.0.0');
  const [made] = await decisionsIn(service);
  const later = await upload(service, '2.0.0');
  const [kept, ...others] = await decisionsIn(service);
  expect(others).toEqual([]);
  expect([kept?._id, kept?.created_at]).toEqual([made?._id, made?.created_at]);
  expect(kept?.source_document?.id).toBe(`urn:uuid:${later.sbom_id}`);
  expect(await statusesOf(service)).toEqual(['not_affected']);
  said = [{ status: 'not_affected', detail: 'Unused.', version: '1.0.0' }];
  await service.remove(later);
  expect(await decisionsIn(service)).toEqual([made]);
  expect(await statusesOf(service)).toEqual(['not_affected']);
});

test('an SBOM that says otherwise, or nothing, ends it', async () => {
  const service = await newService();
  await upload(service, '1.0.0');
  const [made] = await decisionsIn(service);
  const sbom = { root: 'app@1.0.0', components: ['lib@1.0.0'] };
  said = [{ status: 'not_affected', detail: 'Patched.', version: '1.0.0' }];
  await fake.upload(service, { ...sbom, root: 'app@2.0.0' }, 'lib@1.0.0 GHSA-1 CVE-1');
  const [other] = await decisionsIn(service);
  expect(other).toMatchObject({ reason: 'Patched.' });
  expect(other?._id).not.toBe(made?._id);
  said = [];
  await fake.upload(service, { ...sbom, root: 'app@3.0.0' }, 'lib@1.0.0 GHSA-1 CVE-1');
  expect(await decisionsIn(service)).toEqual([]);
  expect(await statusesOf(service)).toEqual(['open']);
});

test('equal statements about several versions of a package make a decision each', async () => {
  const service = await newService();
  await upload(service, '1.0.0', '2.0.0');
  const versions = async () =>
    (await decisionsIn(service)).map(({ packages }) => packages?.[0]?.versions?.[0]).sort();
  expect(await versions()).toEqual(['1.0.0', '2.0.0']);
  await upload(service, '2.0.0', '3.0.0');
  expect(await versions()).toEqual(['2.0.0', '3.0.0']);
});
