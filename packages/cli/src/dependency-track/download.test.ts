import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  startFakeDependencyTrack,
  type FakeDependencyTrack,
  type FakeDtProject,
} from '@bomtrail/testkit';
import { EXIT } from '../exit-codes';
import { download, listsToImport } from './download';
import { createDtrackApi } from './dtrack-api';
import { openExportFolder, type ExportFolder } from './export-folder';

const data = path.join(__dirname, '../../../../../shared/data/dtrack');
let server: FakeDependencyTrack;
let folder: string;

afterEach(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(version: string, projects: readonly FakeDtProject[]): Promise<ExportFolder> {
  server = await startFakeDependencyTrack({ version, projects, policies: null });
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-dtrack-'));
  return openExportFolder(folder);
}

const api = () => createDtrackApi({ url: server.url, apiKey: server.apiKey, fetch });

/** So many projects, the first with so many findings. */
function projects(count: number, findings = 0): FakeDtProject[] {
  return Array.from({ length: count }, (_, n) => ({
    project: { uuid: `u${n}`, name: `app ${n}`, version: '1', lastBomImport: n },
    components: [],
    findings: Array.from({ length: n === 0 ? findings : 0 }, (_, f) => ({
      component: { uuid: `c${f}`, name: 'c' },
      vulnerability: { uuid: 'v', vulnId: 'CVE-1' },
      analysis: { isSuppressed: f === 0 },
    })),
    analyses: n === 0 ? { 'c0:v': { analysisState: 'FALSE_POSITIVE', isSuppressed: true } } : {},
  }));
}

test.each(['4.13.2', '5.0.0'])('all pages of version %s are read', async (version) => {
  const into = await start(version, projects(230, 250));
  const lists = await download(api(), into, () => {});
  expect([lists.version, lists.projects.length, lists.policies]).toEqual([version, 230, null]);
  expect(into.data('u0')?.findings).toHaveLength(250);
  expect(Object.keys(into.data('u0')?.analyses ?? {})).toEqual(['c0:v']);
});

test('an interrupted download continues, and what is there stays', async () => {
  const into = await start('5.0.0', projects(6));
  server.failAfter(7);
  await expect(download(api(), into, () => {})).rejects.toThrow('repeat the command');
  const [first] = ['u0', 'u1', 'u2', 'u3'].filter((uuid) => into.bom(uuid) !== null);
  const bytes = into.bom(first ?? '');
  server.failAfter(null);
  server.answered.length = 0;
  const said: string[] = [];
  await download(api(), into, (line) => said.push(line));
  expect(said).toEqual([expect.stringContaining('since then is not read')]);
  expect(into.bom(first ?? '')).toEqual(bytes);
  expect(server.answered).not.toContain('/api/v1/project');
  expect(projects(6).filter(({ project }) => into.bom(project.uuid) === null)).toEqual([]);
});

test('what a dry run shows is what an import of the folder imports', async () => {
  const into = await start('5.0.0', projects(2));
  expect((await listsToImport(api(), into, () => {})).projects).toHaveLength(2);
  expect(into.lists()).toBeNull();
  const older = { from: server.url, version: '5.0.0', projects: [], policies: null };
  into.writeLists(older);
  expect(await listsToImport(api(), into, () => {})).toEqual(older);
});

test('a project that vanishes between two pages hides no other one', async () => {
  const rows = projects(230);
  await start('5.0.0', rows);
  const vanishing = createDtrackApi({
    url: server.url,
    apiKey: server.apiKey,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (`${url}`.includes('pageNumber=1')) rows.shift();
      return response;
    },
  });
  await expect(vanishing.projects()).rejects.toMatchObject({
    exitCode: EXIT.service,
    message: expect.stringContaining('changed /v1/project while it was read; repeat the command'),
  });
});

test('the folder of another server is refused: its versions would be taken for those of this one', async () => {
  const into = await start('5.0.0', projects(1));
  await download(api(), into, () => {});
  const other = { ...api(), url: 'http://other.example' };
  await expect(download(other, into, () => {})).rejects.toThrow('give another --folder');
});

test('a wrong key and another server are named', async () => {
  await start('4.13.2', []);
  const wrong = createDtrackApi({ url: server.url, apiKey: 'wrong', fetch });
  await expect(wrong.projects()).rejects.toThrow('(401)');
  await expect(
    createDtrackApi({
      url: `${server.url}/x`,
      apiKey: '',
      fetch: async () => Response.json({}),
    }).version(),
  ).rejects.toThrow('is not the API server of Dependency-Track');
});

test.each([
  ['/v1/bom/', '<html>'],
  ['/v1/bom/', '[]'],
  ['/v1/finding/', '<html>'],
  ['/v1/finding/', '{}'],
  ['/v1/finding/', '[null]'],
  ['/v1/project', 'null'],
])('an answer to %s that is none of it, %s, is said and not stored', async (...[part, answer]) => {
  const into = await start('4.13.2', projects(1));
  const foreign = createDtrackApi({
    url: server.url,
    apiKey: server.apiKey,
    fetch: async (url, init) => (`${url}`.includes(part) ? new Response(answer) : fetch(url, init)),
  });
  await expect(download(foreign, into, () => {})).rejects.toMatchObject({
    exitCode: EXIT.service,
    message: expect.stringMatching(/ answers .* JSON/),
  });
  expect([into.bom('u0') === null, into.data('u0')]).toEqual([
    part === '/v1/bom/' || part === '/v1/project',
    null,
  ]);
});

const read = <Json>(name: string): Json =>
  JSON.parse(readFileSync(path.join(data, name), 'utf8')) as Json;

(existsSync(data) ? test : test.skip)('recorded projects and findings are read', async () => {
  const recorded = ['fpf/deptrack_npm_4.14.1.json', 'fpf/deptrack_php_4.14.1.json'].map((name) =>
    read<Pick<FakeDtProject, 'project' | 'findings'>>(name),
  );
  const real = read<FakeDtProject['project']>('api/project-real-instance.json');
  const into = await start('4.14.1', [
    { project: real, components: [], findings: [], analyses: {} },
    ...recorded.map(({ project, findings }) => ({
      project: { ...project, lastBomImport: 1 },
      components: [],
      findings,
      analyses: {},
    })),
  ]);
  const { projects: listed } = await download(api(), into, () => {});
  expect(listed).toHaveLength(3);
  // The recording of 22 findings has one of them twice.
  expect(listed.map(({ uuid }) => into.data(uuid)?.findings.length)).toEqual([0, 21, 13]);
});
