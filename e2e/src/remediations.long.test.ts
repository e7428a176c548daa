import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitForScan, type Remediation, type Vulnerability } from '@bomtrail/api-client';
import { applyUpgrades, furtherSteps, type Steps } from './support/apply-upgrades';
import { generatedPackages } from './support/generated-packages';
import { realData } from './support/real-data';
import { startTestStack, type TestStack } from './support/test-stack';

/** Real documents, one for each kind of version order. */
const documents = {
  npm: '002-cdx-SBOM-v11.1.2-bom.cdx.json',
  Maven: '001-cdx-SBOM-dropwizard-1.3.15-bom.cdx.json',
  PyPI: '081-big-data-spdx-syft-datadog_agent-dev-sha256-62822eb0f1e3b.spdx.json',
  Go: '050-wild-spdx-golang-spdx-constellation-spdx.spdx.json',
  Debian: '084-big-data-spdx-syft-bitnami_solr-sha256-d5f0f1f13fbf822554.spdx.json',
};

/** Fixed versions of Debian 11; the data beside the checkout has hardly any. The last is never fixed. */
const debian = [
  ['openssl', 'CVE-2022-4304', '1.1.1n-0+deb11u4'],
  ['openssl', 'CVE-2023-0464', '1.1.1n-0+deb11u5'],
  ['ncurses', 'CVE-2022-29458', '6.2+20201114-2+deb11u1'],
  ['ncurses', 'CVE-2023-29491', '6.2+20201114-2+deb11u2'],
  ['util-linux', 'CVE-2024-28085', '2.36.1-8+deb11u2'],
  ['curl', 'CVE-2023-23916', '7.74.0-1.3+deb11u7'],
  ['curl', 'CVE-2023-27533', '7.74.0-1.3+deb11u8'],
  ['gnutls28', 'CVE-2023-0361', '3.7.1-5+deb11u3'],
  ['perl', 'CVE-2023-31486', ''],
] as const;

/**
 * Each line is an upload or two, so of two documents some lines are tried, and of every document every line with
 * `BOMTRAIL_PLAN_DOCUMENTS=all`, in some minutes.
 */
const usual = ['npm', 'Debian'];
const areAll = process.env['BOMTRAIL_PLAN_DOCUMENTS'] === 'all';
const linesTried = 6;

const data = realData();
const generated = generatedPackages(Number(process.env['BOMTRAIL_PLAN_SEED'] ?? 1), 300);
const scanMs = 60_000;
let folder: string;
let running: TestStack;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-plan-'));
  const ecosystems = areAll ? ['npm', 'Maven', 'PyPI', 'Go'] : ['npm'];
  for (const ecosystem of data ? ecosystems : [])
    symlinkSync(path.join(data?.advisories ?? '', ecosystem), path.join(folder, ecosystem));
  mkdirSync(path.join(folder, 'crates.io'));
  for (const record of generated.records)
    writeFileSync(path.join(folder, 'crates.io', `${record.id}.json`), JSON.stringify(record));
  mkdirSync(path.join(folder, 'Debian'));
  for (const [name, id, fixed] of debian) {
    const events = [{ introduced: '0' }, ...(fixed === '' ? [] : [{ fixed }])];
    const record = {
      id: `DEBIAN-${id}`,
      upstream: [id],
      modified: '2026-01-01T00:00:00Z',
      affected: [
        {
          package: { ecosystem: 'Debian:11', name },
          ranges: [{ type: 'ECOSYSTEM', events }],
        },
      ],
    };
    writeFileSync(path.join(folder, 'Debian', `${record.id}.json`), JSON.stringify(record));
  }
  running = await startTestStack({
    env: { BOMTRAIL_ADVISORY_SOURCE: folder, LOG_LEVEL: 'info' },
  });
});
afterAll(async () => {
  await running?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Uploads the next version of a service and reads its open vulnerabilities. */
async function upload(project_id: string, service_name: string, file: Buffer) {
  const version = String(Math.random());
  const { id } = await running.client.upload({ project_id, service_name, version, file });
  const { service_id } = await waitForScan(running.client, id, scanMs);
  return { service_id: service_id ?? '', open: await openOf(service_id ?? '') };
}

async function openOf(service_id: string): Promise<Map<string, Vulnerability>> {
  const open = await running.client.allActive({ service_id });
  return new Map(open.map((one) => [one.id, one]));
}

async function planOf(service_id: string): Promise<Remediation[]> {
  const plan: Remediation[] = [];
  for (let page = 1; ; page++) {
    const read = await running.client.remediations({ service_id, page, per_page: 200 });
    expect(read.complete).toBe(true);
    plan.push(...read.items);
    if (!read.has_more) return plan;
  }
}

const ids = (open: Iterable<Vulnerability>): string[] =>
  [...new Set([...open].map(({ cve_id }) => cve_id))].sort();

for (const [kind, document] of Object.entries(documents)) {
  if (!areAll && !usual.includes(kind)) continue;
  (data ? test : test.skip)(
    `each line of the plan for a document of ${kind} closes exactly what it promises`,
    async () => {
      const file = (data as NonNullable<typeof data>).read(document);
      const { client } = running;
      const project = await client.createProject({ name: `Plan ${kind}` });
      const { service_id, open } = await upload(project.id, 'app', file);
      const plan = await planOf(service_id);
      expect(plan.length).toBeGreaterThan(3);
      expect(plan.reduce((sum, { closes }) => sum + closes.total, 0)).toBeGreaterThan(3);
      const planned = plan.reduce(
        (sum, { closes, remains }) => sum + closes.total + remains.total,
        0,
      );
      expect(planned).toBe(open.size);
      const every = areAll ? 1 : Math.ceil(plan.length / linesTried);
      for (const line of plan.filter((_line, index) => index % every === 0)) {
        const steps: [Steps, { total: number; ids: string[] }][] = [[line, line.closes]];
        if (line.major_step)
          steps.push([
            furtherSteps(line),
            {
              total: line.closes.total + line.major_step.closes.total,
              ids: [...line.closes.ids, ...line.major_step.closes.ids],
            },
          ]);
        for (const [step, promised] of steps) {
          if (promised.total === 0) continue;
          const after = (await upload(project.id, 'app', applyUpgrades(file, step))).open;
          const closed = [...open.values()].filter(({ id }) => !after.has(id));
          expect({
            line: line.package_name,
            closed: closed.length,
            ids: ids(closed),
            opened: ids([...after.values()].filter(({ id }) => !open.has(id))),
          }).toEqual({
            line: line.package_name,
            closed: promised.total,
            ids: [...new Set(promised.ids)].sort(),
            opened: [],
          });
        }
      }
      const whole = plan.reduce((after, line) => applyUpgrades(after, furtherSteps(line)), file);
      const left = await upload(project.id, 'app', whole);
      const remains = plan.reduce(
        (sum, line) => sum + line.remains.total - (line.major_step?.closes.total ?? 0),
        0,
      );
      expect(left.open.size).toBe(remains);
      if (process.env['BOMTRAIL_SHOW_PLAN'])
        process.stdout.write(`${kind} ${JSON.stringify(plan)}\n`);
    },
  );
}

test('each line of the plan for generated packages closes exactly what it promises', async () => {
  const { client } = running;
  const project = await client.createProject({ name: 'Plan generated' });
  const { service_id, open } = await upload(project.id, 'app', generated.document);
  const plan = await planOf(service_id);
  expect(plan.length).toBeGreaterThan(100);
  expect(plan.filter(({ closes }) => closes.total > 0).length).toBeGreaterThan(50);
  expect(plan.filter(({ major_step }) => major_step !== null).length).toBeGreaterThan(5);
  const reasons = plan.flatMap(({ upgrades }) => upgrades.flatMap(({ reason }) => reason ?? []));
  expect(new Set(reasons).size).toBeGreaterThan(3);
  // Packages are independent of each other, so that all lines may be applied together.
  for (const stepsOf of [(line: Remediation): Steps => line, furtherSteps]) {
    const isFurther = stepsOf === furtherSteps;
    const document = plan.reduce(
      (before, line) => applyUpgrades(before, stepsOf(line)),
      generated.document,
    );
    const after = (await upload(project.id, 'app', document)).open;
    const opened = [...after.values()].filter(({ id }) => !open.has(id));
    expect(opened.map(({ cve_id, package_name }) => `${package_name} ${cve_id}`)).toEqual([]);
    for (const line of plan) {
      const closed = [...open.values()].filter(
        ({ id, package_name }) => package_name === line.package_name && !after.has(id),
      );
      const later = isFurther ? (line.major_step?.closes.ids ?? []) : [];
      expect([line.package_name, ids(closed)]).toEqual([
        line.package_name,
        [...line.closes.ids, ...later].sort(),
      ]);
    }
  }
});
