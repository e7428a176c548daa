import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot, withTemporaryFolder } from '@bomtrail/embedded';
import { imageTargets } from '../images/build-images';
import { parse } from 'yaml';
import { releaseNotes, sectionOf } from './changelog';
import { originErrors } from './origin';
import { provenance } from './provenance';
import { stampChart, stampedInstaller } from './stamp';
import { namedVersions, otherVersions, releaseVersion } from './versions';
import { workflowFiles } from './workflows';

test('every place that names the version names the same', () => {
  const named = namedVersions();
  const locations = named.map(({ location }) => location).join('\n');
  for (const location of ['Chart.yaml, appVersion', 'openapi.yaml', 'docker-compose.yml, gateway'])
    expect(locations).toContain(location);
  expect(otherVersions(named, releaseVersion())).toEqual([]);
});

test('a place that was forgotten is named', () => {
  const named = [
    { location: 'a', version: '1.0.0' },
    { location: 'b', version: '1.1.0' },
  ];
  expect(otherVersions(named, '1.1.0')).toEqual(['a: 1.0.0 instead of 1.1.0']);
});

test('the notes of a release have what the changelog says, and the commits as text', () => {
  const subjects = ['Reads <digest> in a_b_c', 'Second'];
  const notes = { version: '2.0.0', date: '2026-01-31', described: 'Much.', subjects };
  expect(releaseNotes({ ...notes, since: 'v1.0.0' })).toBe(
    '## 2.0.0 (2026-01-31)\n\nMuch.\n\n### Commits\n\nSince v1.0.0:\n\n- Reads \\<digest\\> in a\\_b\\_c\n- Second\n',
  );
  expect(releaseNotes({ ...notes, since: null })).toContain('The first release.');
});

test('the changelog is read by version', () => {
  const document = '# Changelog\n\n## Unreleased\n\n### Added\n\n- One\n\n## 1.0.1\n\nFirst.\n';
  expect(sectionOf(document, 'Unreleased')).toBe('### Added\n\n- One');
  expect(sectionOf(document, '1.0.1')).toBe('First.');
  expect(sectionOf(document, '1.0.0')).toBeNull();
});

const origin = {
  registry: 'registry.example.org/team/bomtrail',
  downloads: 'https://files.example.org/bomtrail/v2.0.0',
};

test('the chart of a release names the registry, and lists its images', async () => {
  await withTemporaryFolder('stamp', async (folder) => {
    const chart = path.join(folder, 'bomtrail');
    await stampChart(chart, '2.0.0', origin);
    const read = (name: string): unknown => parse(readFileSync(path.join(chart, name), 'utf8'));
    const values = read('values.yaml') as { image: { registry: string } };
    expect(values.image.registry).toBe(origin.registry);
    const { annotations } = read('Chart.yaml') as { annotations: Record<string, string> };
    const images = parse(annotations['artifacthub.io/images'] ?? '') as { image: string }[];
    expect(images.map(({ image }) => image)).toEqual(
      imageTargets.map((target) => `${origin.registry}/bomtrail-${target}:2.0.0`),
    );
  });
});

test('the installer of a release knows where its archives are', async () => {
  expect(await stampedInstaller(origin)).toContain(
    'downloads=${BOMTRAIL_DOWNLOADS:-https://files.example.org/bomtrail/v2.0.0}',
  );
});

test('an address that would not work is refused, and none can run a command', () => {
  expect(originErrors(origin)).toEqual([]);
  expect(originErrors({ ...origin, registry: '127.0.0.1:5000/bomtrail' })).toEqual([]);
  for (const registry of ['Registry.example.org/a', 'registry.example.org/', 'https://a/b', 'a'])
    expect(originErrors({ ...origin, registry })).toHaveLength(1);
  for (const downloads of ['https://a.example.org/', 'https://a/$(id)', 'files', 'https://a/b c'])
    expect(originErrors({ ...origin, downloads })).toHaveLength(1);
});

test('provenance names each subject by its hash, the commit and the builder', () => {
  const statement = provenance([{ name: 'a.tgz', sha256: 'ab' }], {
    commit: 'c0ffee',
    repository: 'https://git.example.org/bomtrail',
    builder: 'https://ci.example.org',
    nodeImage: 'node:24.0.0',
    startedAt: '2026-01-31T00:00:00.000Z',
    finishedAt: '2026-01-31T00:01:00.000Z',
  });
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.tgz', digest: { sha256: 'ab' } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        resolvedDependencies: expect.arrayContaining([
          { uri: 'git+https://git.example.org/bomtrail', digest: { gitCommit: 'c0ffee' } },
        ]) as unknown,
      },
      runDetails: { builder: { id: 'https://ci.example.org' } },
    },
  });
});

interface Step {
  uses?: string;
  run?: string;
}

interface Workflow {
  permissions?: unknown;
  jobs: Record<string, { permissions?: unknown; steps?: Step[]; uses?: string }>;
}

describe.each(workflowFiles())('%s', (file) => {
  const workflow = parse(readFileSync(path.join(repositoryRoot(), file), 'utf8')) as Workflow;
  const jobs = Object.values(workflow.jobs);

  test('uses actions at a full version, none at a branch', () => {
    const used = jobs.flatMap((job) => (job.steps ?? []).flatMap((step) => step.uses ?? []));
    expect(used.length).toBeGreaterThan(0);
    const loose = used.filter((uses) => !/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(uses));
    expect(loose).toEqual([]);
  });

  test('has no rights that a job does not ask for', () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) expect(job.permissions).toBeDefined();
  });

  test('passes nothing that others wrote to a shell', () => {
    const scripts = jobs.flatMap((job) => (job.steps ?? []).flatMap((step) => step.run ?? []));
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

test('there is a workflow for every change, and one for a release', () => {
  expect(workflowFiles().map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['ci.yml', 'release.yml']),
  );
});

const dockerfile = readFileSync(path.join(repositoryRoot(), 'deploy/docker/Dockerfile'), 'utf8');
const stages = [...dockerfile.matchAll(/^FROM (?:service|runtime) AS (\w+)$/gm)]
  .flatMap(([, stage = '']) => stage)
  .filter((stage) => stage !== 'service')
  .sort();

test('a release builds every image that the image file has, and no other', () => {
  const file = path.join(repositoryRoot(), '.github', 'workflows', 'release.yml');
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    jobs: { images: { strategy: { matrix: { image: string[] } } } };
  };
  expect([...jobs.images.strategy.matrix.image].sort()).toEqual(stages);
  expect([...imageTargets].sort()).toEqual(stages);
});

test('the bake file has every image, with the arguments that the image file takes', () => {
  const bake = readFileSync(path.join(repositoryRoot(), 'docker-bake.hcl'), 'utf8');
  const [, list = ''] = /^ +image = (\[.+\])$/m.exec(bake) ?? [];
  expect((JSON.parse(list) as string[]).sort()).toEqual(stages);
  const given = [...bake.matchAll(/^ +(BOMTRAIL_\w+) += /gm)].map(([, name]) => name);
  const taken = [...dockerfile.matchAll(/^ARG (BOMTRAIL_\w+)=/gm)].map(([, name]) => name);
  expect(given).toEqual([...new Set(taken)]);
});
