import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openExportFolder } from './export-folder';
import { planServices } from './plan-services';
import { readSavedExports } from './saved-exports';

let folder: string;
let said: string[];
const say = (line: string): unknown => said.push(line);
beforeEach(() => {
  said = [];
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-exports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const save = (name: string, value: unknown): void =>
  writeFileSync(path.join(folder, name), JSON.stringify(value));
const bom = (name: string, version: string) => ({
  bomFormat: 'CycloneDX',
  metadata: { component: { name, version } },
});
const findings = (uuid: string, version: string, rows: unknown) => ({
  version: '1.4',
  meta: { application: 'Dependency-Track', version: '4.14.1' },
  project: { uuid, name: 'shop', version },
  findings: rows,
});

test('SBOMs and findings belong together by name and version, in the order of the files', () => {
  save('2.json', bom('shop', '1.9'));
  save('1.json', bom('shop', '2.0'));
  save('f1.json', findings('u-19', '1.9', [{ component: {}, vulnerability: {} }]));
  save('f2.json', findings('u-20', '2.0', null));
  save('f3.json', findings('u-3', '3.0', []));
  const into = openExportFolder(path.join(folder, 'out'));
  const { version, projects } = readSavedExports(folder, into, say);
  const { services, skipped } = planServices(projects);
  expect(version).toBe('4.14.1');
  expect(services[0]?.versions.map((one) => one.version)).toEqual(['2.0', '1.9']);
  expect(skipped.map(({ project, reason }) => [project.uuid, reason])).toEqual([
    ['u-3', 'no_sbom'],
  ]);
  expect(into.data('u-19')?.findings).toHaveLength(1);
  expect(into.data('u-20')?.findings).toEqual([]);
  expect(into.bom('u-19')?.toString()).toContain('1.9');
});

test('the folder of a server is refused: its import could not be continued', () => {
  save('1.json', bom('shop', '1.9'));
  const into = openExportFolder(path.join(folder, 'out'));
  const lists = { from: 'http://dtrack.example', version: '5.0.0', projects: [], policies: null };
  into.writeLists(lists);
  expect(() => readSavedExports(folder, into, say)).toThrow(
    'The folder has what was read from http://dtrack.example; give another --folder.',
  );
  expect(into.lists()).toEqual(lists);
});

test('a VEX export is not taken for the SBOM, and what is left out is named', () => {
  save('1.json', { ...bom('shop', '1.9'), components: [{ name: 'a' }] });
  save('2.json', { ...bom('shop', '1.9'), vulnerabilities: [{ id: 'CVE-1' }] });
  save('3.json', ['other']);
  writeFileSync(path.join(folder, 'bom.xml'), '<bom/>');
  const into = openExportFolder(path.join(folder, 'out'));
  const { projects } = readSavedExports(folder, into, say);
  expect(projects).toHaveLength(1);
  expect(into.bom(projects[0]?.uuid ?? '')?.toString()).toContain('components');
  expect(said.map((line) => line.split(' ', 1)[0])).toEqual(['2.json', '3.json', 'bom.xml']);
});

test('two SBOMs of one version are refused: which one it is decides what is vulnerable', () => {
  save('1.json', bom('shop', '1.9'));
  save('2.json', { ...bom('shop', '1.9'), components: [{ name: 'a' }] });
  const into = openExportFolder(path.join(folder, 'out'));
  expect(() => readSavedExports(folder, into, say)).toThrow('1.json and 2.json are both an SBOM');
});

test('a byte order mark is no error, and the file that is one is named', () => {
  writeFileSync(path.join(folder, '1.json'), `\u{FEFF}${JSON.stringify(bom('shop', '1.9'))}`);
  const into = openExportFolder(path.join(folder, 'out'));
  expect(readSavedExports(folder, into, say).projects).toHaveLength(1);
  writeFileSync(path.join(folder, '2.json'), '{');
  expect(() => readSavedExports(folder, into, say)).toThrow('2.json cannot be read');
});

test('a folder without an SBOM is refused', () => {
  save('f.json', findings('u', '1', []));
  const into = openExportFolder(path.join(folder, 'out'));
  expect(() => readSavedExports(folder, into, say)).toThrow('has no SBOM');
});
