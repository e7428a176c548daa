import { execFileSync } from 'node:child_process';
import { vulnerabilityStatuses } from '@bomtrail/messages';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** The rows that Python's reader finds in a response, by column. */
async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const response = await gateway.call('GET', `/api/v1/${path}`);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w-]+\.csv"$/,
  );
  const script =
    'import csv,io,json,sys; print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline="")))))';
  const json = execFileSync('python3', ['-c', script], { input: text });
  return JSON.parse(json.toString('utf8')) as Record<string, string>[];
}

const vulnerability = {
  project_name: 'Web Shop',
  service_name: 'Checkout',
  cve_id: 'CVE-2021-44228',
  severity: 'critical',
  cvss_score: '10',
  fixed_versions: '1.0.1',
  kev_date_added: '2021-12-10',
  id: harness.vulnerabilityId,
};

test.each<[string, Record<string, string>[]]>([
  ['vulnerabilities/active?format=csv', [vulnerability, vulnerability]],
  ['vulnerabilities?format=csv&status=fixed', [vulnerability, vulnerability]],
  [
    'vulnerabilities/acceptances?format=csv',
    [{ cve_id: 'CVE-2021-44228', project_name: 'Web Shop' }],
  ],
  ['search/packages?format=csv&purl=pkg:npm/a', [{ package_name: 'a', affected: 'true' }]],
  ['search/vulnerabilities/CVE-2021-44228?format=csv', [{ ...vulnerability, former_id: 'false' }]],
  ['projects?format=csv', [{ slug: 'web-shop', description: '' }]],
  [
    `projects/${harness.projectId}/history?format=csv`,
    [
      {
        version: '1.4.0',
        scan_status: 'scanned',
        service_name: 'Checkout',
        critical: '1',
        retained: 'true',
      },
    ],
  ],
  [
    `services?format=csv&project_id=${harness.projectId}`,
    [{ name: 'Checkout', latest_version: '1.4.0', critical: '1', high: '0' }],
  ],
  [`sboms/${harness.sbomId}?format=csv`, [{ cve_id: 'CVE-2021-44228', is_direct: 'true' }]],
  [
    `sboms/${harness.sbomId}?format=csv&list=dependencies`,
    [{ name: 'a' }, { name: 'b', purl: 'pkg:npm/b@1.0.0' }],
  ],
])('%s is the whole list, which another reader understands', async (path, expected) => {
  expect(await rowsOf(path)).toMatchObject(expected);
});

test.each(['search/packages?purl=pkg:npm/a&', 'search/vulnerabilities/CVE-2021-44228?'])(
  '%s says beside its rows what was not searched',
  async (path) => {
    const response = await gateway.call('GET', `/api/v1/${path}format=csv`);
    await response.text();
    expect(response.headers.get('warning')).toBe(
      '299 - "not searched: 2 SBOMs not scanned yet, 1 SBOM that failed to scan or expired"',
    );
  },
);

test('lists of vulnerabilities say beside their rows what was not evaluated', async () => {
  const warned = async (path: string): Promise<string | null> => {
    const response = await gateway.call('GET', `/api/v1/${path}`);
    await response.text();
    return response.headers.get('warning');
  };
  const sbom = `sboms/${harness.sbomId}?format=csv`;
  expect(await warned(sbom)).toBeNull();
  expect(await warned('vulnerabilities/active?format=csv')).toBeNull();
  fakes.coverage = { components: 2, evaluated: 0, undetermined: { starter_data: 2 } };
  try {
    expect(await warned(sbom)).toBe('299 - "not evaluated: 2 of 2 components"');
    expect(await warned(`${sbom}&x=1`)).toMatch(/'x' is ignored", 299 - "not evaluated/);
    expect(await warned(`${sbom}&list=dependencies`)).toBeNull();
  } finally {
    fakes.coverage = { components: 2, evaluated: 2, undetermined: {} };
  }
});

test('an export has the filters and states of its list', async () => {
  fakes.requested.length = 0;
  await rowsOf('vulnerabilities/active?format=csv&kev=true&page=7');
  await rowsOf('vulnerabilities?format=csv&min_epss=0.5');
  const asked = fakes.requested.filter(({ subject }) => subject.includes('export'));
  expect(asked.map(({ body }) => body)).toMatchObject([
    { kev: true, statuses: ['open'], after: null },
    { kev: true, statuses: ['open'], after: { service_id: harness.serviceId } },
    { min_epss: 0.5, statuses: [...vulnerabilityStatuses], after: null },
    { min_epss: 0.5, after: { service_id: harness.serviceId } },
  ]);
});

test('vulnerabilities that are not known yet are no empty file', async () => {
  fakes.scanStatus = 'pending';
  try {
    const response = await gateway.call('GET', `/api/v1/sboms/${harness.sbomId}?format=csv`);
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'service_unavailable' },
    ]);
  } finally {
    fakes.scanStatus = 'scanned';
  }
});

test('another format is refused, and an empty one is JSON', async () => {
  expect((await gateway.call('GET', '/api/v1/projects?format=xml')).status).toBe(422);
  const response = await gateway.call('GET', '/api/v1/projects?format=');
  expect(await response.json()).toMatchObject({ items: [{ slug: 'web-shop' }] });
});
