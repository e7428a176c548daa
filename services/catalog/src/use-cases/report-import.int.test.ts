import * as messages from '@bomtrail/messages';
import { silentImportMs } from '../domain/import-status';
import type { ImportDocument } from '../store/import-store';
import type { updateImport } from './report-import';
import { startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
  catalog.fakeOwners();
});
afterAll(() => catalog?.stop());

const page = { page: 1, per_page: 50 };
const unknownId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4eff';

type Changes = Parameters<typeof updateImport>[1]['changes'];

async function begin(): Promise<string> {
  const body = { source: 'dependency-track' as const, source_version: '4.13.2' };
  return (await catalog.bus.request(messages.createImport, body)).body.id;
}

function entry(project_id: string, service: string): messages.ImportedServiceReport {
  return {
    project_id,
    service,
    versions: 3,
    uploaded: 2,
    findings_there: 5,
    findings_here: 4,
    analyses: 2,
    decided: 1,
    refused_total: 1,
    refused: [{ version: '1', reason: 'No SBOM.' }],
    unmatched_total: 1,
    unmatched: [{ vulnerability: 'CVE-1', component: 'pkg:npm/a@1', reason: 'not_found' }],
  };
}

const report = async (import_id: string, changes: Changes): Promise<messages.ImportView> =>
  (await catalog.bus.request(messages.updateImport, { import_id, changes })).body;

const read = async (import_id: string, of_project: messages.ProjectScope | null = null) =>
  (await catalog.bus.request(messages.readImport, { import_id, of_project })).body;

const servicesOf = async (import_id: string, of_project: messages.ProjectScope | null = null) => {
  const asked = { import_id, of_project, ...page };
  return (await catalog.bus.request(messages.listImportedServices, asked)).body;
};

test('an import is running from its beginning, and is counted over its services', async () => {
  const [one, other] = [await catalog.newProject(), await catalog.newProject()];
  const id = await begin();
  expect(await read(id)).toMatchObject({ status: 'running', totals: { projects: 0, services: 0 } });
  await report(id, { services: [entry(one.id, 'web'), entry(one.id, 'api')] });
  await report(id, { services: [entry(other.id, 'web')] });
  const policies = [{ policy: 'Severe', setting: 'fail_on: critical', note: '' }];
  const skipped = [{ name: 'a', version: '1', reason: 'no_sbom' }];
  const ended = await report(id, { status: 'finished', skipped_total: 7, skipped, policies });
  expect(ended).toMatchObject({ status: 'finished', skipped_total: 7, skipped, policies });
  expect(ended.totals).toEqual({
    projects: 2,
    services: 3,
    versions: 9,
    uploaded: 6,
    refused: 3,
    findings_there: 15,
    findings_here: 12,
    analyses: 6,
    decided: 3,
    unmatched: 3,
  });
});

test('a service that is reported again, as after an interruption, replaces its entry', async () => {
  const project = await catalog.newProject();
  const id = await begin();
  await report(id, { services: [entry(project.id, 'web')] });
  const again = { ...entry(project.id, 'web'), uploaded: 3, refused_total: 0, refused: [] };
  expect((await report(id, { services: [again] })).totals).toMatchObject({
    services: 1,
    uploaded: 3,
    refused: 0,
  });
  const { name: project_name, slug: project_slug } = project;
  expect(await servicesOf(id)).toEqual({
    items: [{ ...again, project_name, project_slug }],
    total: 1,
  });
});

test('for a caller with some projects, an import is what it brought to these', async () => {
  const [own, foreign] = [await catalog.newProject(), await catalog.newProject()];
  const [both, others] = [await begin(), await begin()];
  const skipped = [{ name: 'secret', version: '1', reason: 'no_sbom' }];
  const failed = { status: 'failed' as const, error: 'secret 1 cannot be read.' };
  await report(both, { services: [entry(own.id, 'web'), entry(foreign.id, 'secret')], skipped });
  await report(both, failed);
  await report(others, { services: [entry(foreign.id, 'web')] });
  for (const of_project of [own.id, [own.id, unknownId]]) {
    const seen = await read(both, of_project);
    expect(seen).toMatchObject({ skipped: null, skipped_total: null, policies: null });
    expect(seen).toMatchObject({ status: 'failed', error: null });
    expect(seen.totals).toMatchObject({ projects: 1, services: 1, versions: 3 });
    expect((await servicesOf(both, of_project)).items).toMatchObject([{ service: 'web' }]);
    const listed = (await catalog.bus.request(messages.listImports, { ...page, of_project })).body;
    expect([listed.total, listed.items.map(({ id }) => id)]).toEqual([1, [both]]);
    const hidden = { code: 'import_not_found' };
    await expect(read(others, of_project)).rejects.toMatchObject(hidden);
    await expect(servicesOf(others, of_project)).rejects.toMatchObject(hidden);
  }
});

test('what an import brought to a project goes with the project', async () => {
  const [stays, goes] = [await catalog.newProject(), await catalog.newProject()];
  const id = await begin();
  await report(id, { services: [entry(stays.id, 'web'), entry(goes.id, 'web')] });
  await catalog.bus.request(messages.deleteProject, { project_id: goes.id });
  expect((await read(id)).totals).toMatchObject({ projects: 1, services: 1 });
  expect((await servicesOf(id)).total).toBe(1);
  const stored = catalog.database.db.collection('imported_services');
  expect(await stored.countDocuments({ project_id: goes.id })).toBe(0);
  await expect(report(id, { services: [entry(goes.id, 'web')] })).rejects.toMatchObject({
    code: 'project_not_found',
  });
});

test('IM7: an import that was killed is interrupted after half an hour, until it goes on', async () => {
  const id = await begin();
  const imports = catalog.database.db.collection<ImportDocument>('imports');
  const updated_at = new Date(Date.now() - silentImportMs - 1_000);
  await imports.updateOne({ _id: id }, { $set: { updated_at } });
  expect((await read(id)).status).toBe('interrupted');
  expect((await report(id, { status: 'running', error: null })).status).toBe('running');
  expect((await report(id, { status: 'failed', error: 'No space.' })).error).toBe('No space.');
  expect(await read(id)).toMatchObject({ status: 'failed', error: 'No space.' });
});

test('an unknown import is refused, and keeps nothing of what is reported', async () => {
  const project = await catalog.newProject();
  const code = 'import_not_found';
  await expect(read(unknownId)).rejects.toMatchObject({ code });
  const services = [entry(project.id, 'web')];
  await expect(report(unknownId, { services })).rejects.toMatchObject({ code });
  const stored = catalog.database.db.collection('imported_services');
  expect(await stored.countDocuments({ import_id: unknownId })).toBe(0);
});
