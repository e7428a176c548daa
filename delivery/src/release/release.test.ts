import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { imageTargets } from '../images/build-images';
import { parse } from 'yaml';
import { changelog } from './changelog';
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

test('the notes of a release list what its commits were good for, as text', () => {
  const subjects = ['Reads <digest> in a_b_c', 'Second'];
  expect(changelog('2.0.0', '2026-01-31', { since: 'v1.0.0', subjects })).toBe(
    '## 2.0.0 (2026-01-31)\n\nSince v1.0.0:\n\n- Reads \\<digest\\> in a\\_b\\_c\n- Second\n',
  );
  expect(changelog('1.0.0', '2026-01-31', { since: null, subjects })).toContain(
    'The first release.',
  );
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

test('a release builds the image of every service, each of which the image file has', () => {
  const file = path.join(repositoryRoot(), '.github', 'workflows', 'release.yml');
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    jobs: { images: { strategy: { matrix: { image: string[] } } } };
  };
  const built = jobs.images.strategy.matrix.image;
  const image = readFileSync(path.join(repositoryRoot(), 'deploy/docker/Dockerfile'), 'utf8');
  const stages = [...image.matchAll(/^FROM (?:service|runtime) AS (\w+)$/gm)].map(([, one]) => one);
  const images = stages.filter((stage) => stage !== 'service').sort();
  expect([...built].sort()).toEqual(images);
  expect([...imageTargets].sort()).toEqual(images);
});
