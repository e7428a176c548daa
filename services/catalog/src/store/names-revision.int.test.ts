import * as messages from '@bomtrail/messages';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog({ processes: 2 });
  catalog.fakeOwners();
  catalog.fakeReconciler();
});
afterAll(() => catalog?.stop());

const revision = async (): Promise<string> =>
  (await catalog.bus.request(messages.readNamesRevision, {})).body.revision;

async function aService(): Promise<{ project_id: string; service_id: string }> {
  const { id: project_id } = await catalog.newProject();
  const { id: sbom_id } = await catalog.upload({ project_id });
  const { service_id } = (await catalog.bus.request(messages.getSbom, { sbom_id })).body;
  return { project_id, service_id };
}

type Service = Awaited<ReturnType<typeof aService>>;
const update = (project_id: string, changes: object) =>
  catalog.bus.request(messages.updateProject, { project_id, changes });

test('the first changes of all may come at once', async () => {
  const projects = await Promise.all(Array.from({ length: 20 }, () => catalog.newProject()));
  const before = await revision();
  const changed = await Promise.all(projects.map(({ id }) => update(id, { owner: id })));
  expect(changed.map(({ body }) => body.owner)).toEqual(projects.map(({ id }) => id));
  expect(await revision()).not.toBe(before);
});

test.each<[string, (service: Service) => Promise<unknown>]>([
  ['a project has another name', ({ project_id }) => update(project_id, { name: anySha() })],
  [
    'a project has service levels',
    ({ project_id }) => update(project_id, { service_levels: { critical: 7 } }),
  ],
  ['a project has an owner', ({ project_id }) => update(project_id, { owner: 'Team A' })],
  [
    'a service has an owner',
    ({ service_id }) => {
      const changes = { owner: 'Team B' };
      return catalog.bus.request(messages.updateService, { service_id, project_id: null, changes });
    },
  ],
  [
    'a service is deleted',
    ({ service_id }) => {
      const all = { project_id: null, cascade: true };
      return catalog.bus.request(messages.deleteService, { service_id, ...all });
    },
  ],
  [
    'a project is deleted',
    ({ project_id }) => catalog.bus.request(messages.deleteProject, { project_id }),
  ],
])('the revision of names is another one once %s', async (_, change) => {
  const service = await aService();
  const named = { service_ids: [service.service_id] };
  const before = [await revision(), (await catalog.bus.request(messages.nameServices, named)).body];
  await change(service);
  const after = [await revision(), (await catalog.bus.request(messages.nameServices, named)).body];
  expect(after[1]).not.toEqual(before[1]);
  expect(after[0]).not.toBe(before[0]);
});

test('new services and refused changes leave it as it is', async () => {
  const { project_id } = await aService();
  const { name } = await catalog.newProject();
  const before = await revision();
  await aService();
  await catalog.upload({ project_id, service_name: 'another' });
  await expect(update(project_id, { name })).rejects.toMatchObject({ code: 'project_name_taken' });
  expect(await revision()).toBe(before);
});
