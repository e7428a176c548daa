import { randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
  catalog.fakeOwners();
  catalog.fakeReconciler();
});
afterAll(() => catalog?.stop());

type Given = { owner?: string | null; labels?: string[] | null };

async function newProject(given: Given = {}): Promise<messages.ProjectView> {
  const name = `Project ${anySha()}`;
  const rest = { description: null, repo_url: null, platform: null };
  return (await catalog.bus.request(messages.createProject, { name, ...rest, ...given })).body;
}

async function newService(project_id: string, name: string | null, given: Given = {}) {
  const sbom = await catalog.upload({ project_id, service_name: name, root_name: null });
  const record = await catalog.bus.request(messages.getSbom, { sbom_id: sbom.id });
  const { service_id } = record.body;
  if (Object.keys(given).length > 0) await change(service_id, given);
  return service_id;
}

const change = async (service_id: string, changes: Given, project_id: string | null = null) =>
  (await catalog.bus.request(messages.updateService, { service_id, changes, project_id })).body;

const find = async (filter: {
  owner?: string;
  has_owner?: boolean;
  labels?: string[];
  project_id?: string | string[];
}) => (await catalog.bus.request(messages.findOwnedServices, filter)).body;

const listOf = async (filter: { owner?: string; labels?: string[]; project_id?: string }) => {
  const page = { page: 1, per_page: 200 };
  const { body } = await catalog.bus.request(messages.listProjects, { ...page, ...filter });
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ id }) => id);
};

test('a project has owner and labels from its creation, and a change replaces or clears them', async () => {
  const made = await newProject({ owner: ' Team A ', labels: ['PCI', 'pci', 'eu'] });
  expect(made).toMatchObject({ owner: 'Team A', labels: ['PCI', 'eu'] });
  const update = async (changes: Given) =>
    (await catalog.bus.request(messages.updateProject, { project_id: made.id, changes })).body;
  expect(await update({ labels: ['us'] })).toMatchObject({ owner: 'Team A', labels: ['us'] });
  expect(await update({ owner: null })).toMatchObject({ owner: null, labels: ['us'] });
  expect(await update({ labels: null })).toMatchObject({ owner: null, labels: [] });
  const stored = await catalog.projects.findOne({ _id: made.id });
  for (const field of ['owner', 'owner_key', 'labels', 'label_keys'])
    expect(stored).not.toHaveProperty(field);
});

test('a service has its own; changes of one that the caller may not see are of none', async () => {
  const project = await newProject();
  const id = await newService(project.id, 'a');
  expect(await change(id, { owner: 'Team B', labels: ['web'] })).toMatchObject({
    id,
    owner: 'Team B',
    labels: ['web'],
    latest_sbom: { version: null, scan_status: 'pending' },
  });
  expect(await change(id, {})).toMatchObject({ owner: 'Team B' });
  expect(await change(id, { owner: null }, project.id)).toMatchObject({ owner: null });
  const projectLevel = await newService(project.id, null);
  const other = await newProject();
  for (const [service, scope] of [
    [projectLevel, null],
    [id, other.id],
    [other.id, null],
  ] as const)
    await expect(change(service, { owner: 'x' }, scope)).rejects.toMatchObject({
      code: 'service_not_found',
    });
});

test('OW3, OW4: services are found by their own owner and labels, or else by those of their project', async () => {
  const [owner, label] = [`Team ${anySha()}`, `label ${anySha()}`.slice(0, 60)];
  const owned = await newProject({ owner, labels: [label] });
  const inherits = await newService(owned.id, 'inherits');
  const level = await newService(owned.id, null);
  const others = await newService(owned.id, 'others', { owner: 'somebody else' });
  const plain = await newProject();
  const own = await newService(plain.id, 'own', { owner: owner.toUpperCase() });
  const labelled = await newService(plain.id, 'labelled', { labels: ['x', label] });
  await newService(plain.id, 'none');
  const cases = [
    [{ owner }, [inherits, level, own]],
    [{ labels: [label] }, [inherits, level, others, labelled]],
    [{ labels: ['nothing', label.toUpperCase()] }, [inherits, level, others, labelled]],
    [{ owner, labels: [label] }, [inherits, level]],
    [{ owner, project_id: plain.id }, [own]],
    [{ owner, project_id: [plain.id, owned.id] }, [inherits, level, own]],
    [{ owner: 'nobody of all' }, []],
  ] as const;
  for (const [filter, expected] of cases) {
    const found = await find({ ...filter } as Parameters<typeof find>[0]);
    expect(found).toEqual({ service_ids: [...expected].sort(), complete: true });
  }
  const service_ids = [inherits, others, own];
  const named = await catalog.bus.request(messages.nameServices, { service_ids });
  for (const project_ids of [[owned.id], [owned.id, plain.id, randomUUID()]]) {
    const expected = await catalog.bus.request(messages.nameServices, { service_ids, project_ids });
    expect(expected.body).toEqual(named.body);
  }
  const by = new Map(named.body.map((one) => [one.service_id, one]));
  expect(by.get(inherits)).toMatchObject({ owner, labels: [label] });
  expect(by.get(others)).toMatchObject({ owner: 'somebody else', labels: [label] });
  expect(by.get(own)).not.toHaveProperty('labels');
  const listed = await catalog.bus.request(messages.listServices, { project_id: owned.id, owner });
  expect(listed.body.map(({ name }) => name)).toEqual(['inherits']);
});

test('OW6: services without an owner are those of which neither they nor their project has one', async () => {
  const owned = await newProject({ owner: 'Team A' });
  const plain = await newProject({ labels: ['x'] });
  const inherits = await newService(owned.id, 'inherits');
  const own = await newService(plain.id, 'own', { owner: 'Team B' });
  const nobody = await newService(plain.id, 'nobody');
  const level = await newService(plain.id, null);
  const within = { project_id: [owned.id, plain.id] };
  const cases = [
    [{ has_owner: false }, [nobody, level]],
    [{ has_owner: true }, [inherits, own]],
    [{ has_owner: false, labels: ['x'] }, [nobody, level]],
    [{ has_owner: true, labels: ['x'] }, [own]],
    [{ has_owner: false, owner: 'Team A' }, []],
    [{ has_owner: true, owner: 'team b' }, [own]],
  ] as const;
  for (const [filter, expected] of cases) {
    const found = await find({ ...within, ...filter } as Parameters<typeof find>[0]);
    expect(found).toEqual({ service_ids: [...expected].sort(), complete: true });
  }
});

test('more services than a list can filter by are none, and say so', async () => {
  const owner = `Team ${anySha()}`;
  const project = await newProject({ owner });
  const service = await newService(project.id, 'first');
  const stored = await catalog.services.findOne({ _id: service });
  const copies = Array.from({ length: messages.maxOwnedServices - 1 }, (_, number) => ({
    ...stored!,
    _id: messages.maxOwnedServices + anySha().slice(0, 30) + number,
    name: `service ${number}`,
  }));
  await catalog.services.insertMany(copies);
  expect((await find({ owner })).service_ids).toHaveLength(messages.maxOwnedServices);
  await newService(project.id, 'one more');
  expect(await find({ owner })).toEqual({ service_ids: [], complete: false });
});

test('projects are listed by owner and labels, with the other filters', async () => {
  const [owner, label] = [`Team ${anySha()}`, `label ${anySha()}`.slice(0, 60)];
  const both = await newProject({ owner, labels: [label] });
  const one = await newProject({ owner });
  const other = await newProject({ labels: [label, 'b'] });
  expect(await listOf({ owner: owner.toLowerCase() })).toEqual([one.id, both.id]);
  expect(await listOf({ labels: [label] })).toEqual([other.id, both.id]);
  expect(await listOf({ owner, labels: ['b', label] })).toEqual([both.id]);
  expect(await listOf({ owner, project_id: one.id })).toEqual([one.id]);
  const page = { page: 1, per_page: 1, owner };
  const first = await catalog.bus.request(messages.listProjects, { ...page, after: null });
  expect(first.body.total).toBe(2);
  const { next = null } = first.body;
  const second = await catalog.bus.request(messages.listProjects, { ...page, after: next });
  expect(second.body.items.map(({ id }) => id)).toEqual([both.id]);
  const slug = { page: 1, per_page: 25, owner, slug: both.slug };
  expect((await catalog.bus.request(messages.listProjects, slug)).body.total).toBe(1);
});

test('a search for a package keeps to the services of an owner', async () => {
  const owner = `Team ${anySha()}`;
  const project = await newProject();
  const digest = anySha();
  catalog.bus.serve(
    handles(messages.findPackageSets, async () => ({
      body: { sets: 1, complete: true },
      attachment: Buffer.from(JSON.stringify({ packages: [], sets: { [digest]: [] } })),
    })),
  );
  const upload = (service_name: string) =>
    catalog.upload({ project_id: project.id, service_name, digest });
  const [a] = [await upload('a'), await upload('b')];
  const { body } = await catalog.bus.request(messages.getSbom, { sbom_id: a.id });
  await change(body.service_id, { owner });
  const query = { purl: null, name: 'x', version: null };
  const search = async (by: object) =>
    (await catalog.bus.request(messages.findServicesUsing, { query, page: 1, per_page: 50, ...by }))
      .body;
  expect((await search({ project_id: project.id })).total).toBe(2);
  const found = await search({ owner });
  expect(found.items.map(({ service_name }) => service_name)).toEqual(['a']);
  expect(found.total).toBe(1);
});
