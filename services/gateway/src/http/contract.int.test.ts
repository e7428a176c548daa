import { checkResponse } from '@bomtrail/api-contract';
import { deleteService } from '@bomtrail/messages';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import * as harness from '../testing/fake-data';
import { deadLetterId } from '../testing/fake-dead-letters';
import { importId } from '../testing/fake-imports';
import { vexId } from '../testing/fake-vex';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  fakes.requested.length = 0;
  fakes.scanStatus = 'scanned';
});

const { projectId, sbomId, acceptanceId } = harness;
const acceptanceBody = {
  project_id: projectId,
  vulnerability_id: harness.vulnerabilityId,
  reason: 'r',
};

/** operationId, method, path, JSON body */
const successes: [string, string, string, unknown?][] = [
  ['listProjects', 'GET', '/api/v1/projects?per_page=25&name=sh'],
  ['createProject', 'POST', '/api/v1/projects', { name: ' Web Shop ' }],
  ['getProject', 'GET', `/api/v1/projects/${projectId}`],
  ['updateProject', 'PATCH', `/api/v1/projects/${projectId}`, {}],
  ['deleteProject', 'DELETE', `/api/v1/projects/${projectId}`],
  ['listProjectHistory', 'GET', `/api/v1/projects/${projectId}/history`],
  ['getSbom', 'GET', `/api/v1/sboms/${sbomId}`],
  ['diffSboms', 'GET', `/api/v1/sboms/${sbomId}/diff/${harness.otherSbomId}`],
  ['deleteSbom', 'DELETE', `/api/v1/sboms/${sbomId}`],
  ['listServices', 'GET', `/api/v1/services?project_id=${projectId}`],
  ['updateService', 'PATCH', `/api/v1/services/${harness.serviceId}`, { owner: 'A', labels: [] }],
  ['deleteService', 'DELETE', `/api/v1/services/${harness.serviceId}?cascade=true`],
  ['listActiveVulnerabilities', 'GET', '/api/v1/vulnerabilities/active?severity=HIGH,low'],
  ['listVulnerabilities', 'GET', '/api/v1/vulnerabilities?status=Fixed,open&severity=low'],
  ['getVulnerability', 'GET', `/api/v1/vulnerabilities/${harness.vulnerabilityId}`],
  ['getVulnerabilitySummary', 'GET', '/api/v1/vulnerabilities/summary'],
  ['getStatistics', 'GET', '/api/v1/statistics?days=30'],
  ['listAcceptances', 'GET', '/api/v1/vulnerabilities/acceptances'],
  ['createAcceptance', 'POST', '/api/v1/vulnerabilities/acceptances', acceptanceBody],
  ['deleteAcceptance', 'DELETE', `/api/v1/vulnerabilities/acceptances/${acceptanceId}`],
  ['listApiKeys', 'GET', '/api/v1/api-keys'],
  ['getOwnApiKey', 'GET', '/api/v1/api-keys/self'],
  ['getMe', 'GET', '/api/v1/me'],
  ['createApiKey', 'POST', '/api/v1/api-keys', { name: 'CI', scopes: ['upload'] }],
  ['listPeople', 'GET', '/api/v1/people'],
  ['listDeadLetters', 'GET', '/api/v1/dead-letters?consumer=scanner-uploads'],
  ['getDeadLetter', 'GET', `/api/v1/dead-letters/${deadLetterId}`],
  ['replayDeadLetter', 'POST', `/api/v1/dead-letters/${deadLetterId}/replay`],
  ['deleteDeadLetter', 'DELETE', `/api/v1/dead-letters/${deadLetterId}`],
  ['listImports', 'GET', '/api/v1/imports'],
  ['createImport', 'POST', '/api/v1/imports', { source: 'dependency-track' }],
  ['getImport', 'GET', `/api/v1/imports/${importId}`],
  ['updateImport', 'PATCH', `/api/v1/imports/${importId}`, { status: 'finished' }],
  ['listImportedServices', 'GET', `/api/v1/imports/${importId}/services`],
  ['listSbomCoverage', 'GET', `/api/v1/sboms/${sbomId}/coverage?reason=no_purl`],
  ['getSbomVerdict', 'GET', `/api/v1/sboms/${sbomId}/verdict?fail_on=low&only_new=true`],
  ['listDependencyGraph', 'GET', `/api/v1/sboms/${sbomId}/dependencies/graph?vulnerable=true`],
  ['listDependencyPaths', 'GET', `/api/v1/sboms/${sbomId}/dependencies/paths?purl=pkg:npm/a@1.0.0`],
  ['listRemediations', 'GET', '/api/v1/remediations'],
  ['listVex', 'GET', '/api/v1/vex'],
  ['exportVex', 'GET', `/api/v1/projects/${projectId}/vex?format=cyclonedx`],
  ['getVex', 'GET', `/api/v1/vex/${vexId}`],
  ['deleteVex', 'DELETE', `/api/v1/vex/${vexId}`],
  ['searchPackages', 'GET', '/api/v1/search/packages?purl=pkg:npm/a@1.0.0'],
  ['searchLicenses', 'GET', '/api/v1/search/licenses?license=AGPL-3.0-only'],
  ['searchVulnerability', 'GET', '/api/v1/search/vulnerabilities/cve-2021-44228'],
  ['listAdvisoryFeeds', 'GET', '/api/v1/advisories/feeds'],
  ['listAlertRules', 'GET', '/api/v1/alert-rules'],
  ['createAlertRule', 'POST', '/api/v1/alert-rules', { project_id: projectId }],
  ['updateAlertRule', 'PATCH', `/api/v1/alert-rules/${harness.alertRuleId}`, {}],
  ['deleteAlertRule', 'DELETE', `/api/v1/alert-rules/${harness.alertRuleId}`],
  ['testAlertRule', 'POST', `/api/v1/alert-rules/${harness.alertRuleId}/test`],
  ['listAlertDeliveries', 'GET', `/api/v1/alert-rules/${harness.alertRuleId}/deliveries?page=2`],
  ['previewAlertRule', 'GET', `/api/v1/alert-rules/${harness.alertRuleId}/preview`],
  ['getHealth', 'GET', '/healthz'],
  ['getVersion', 'GET', '/version'],
  ['getOpenapi', 'GET', '/api/openapi.json'],
];

describe('Every operation answers as the contract says', () => {
  test.each(successes)('%s', async (...[operationId, method, path, body]) => {
    const response = await gateway.call(method, path, jsonBody(body));
    const text = await response.text();
    expect(response.status).toBe(gateway.contract.operations.get(operationId)?.successStatus);
    const result: unknown = text === '' ? undefined : JSON.parse(text);
    expect(
      checkResponse(gateway.contract, { operationId, status: response.status, body: result }),
    ).toEqual([]);
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
    expect(response.headers.get('x-powered-by')).toBeNull();
  });
});

describe('Projects', () => {
  test('what is sent is trimmed and null where it is left out', async () => {
    await gateway.call('POST', '/api/v1/projects', jsonBody({ name: ' Web Shop ', unknown: 1 }));
    expect(fakes.requested[0]?.body).toEqual({
      name: 'Web Shop',
      description: null,
      repo_url: null,
      platform: null,
      retention: null,
      service_levels: null,
      license_policy: null,
      ships_products: false,
      embedded_vex: 'off',
    });
  });

  test('a retention is taken as a whole: what is left out protects nothing, and null is the default', async () => {
    const path = `/api/v1/projects/${projectId}`;
    const cases = [
      [{ keep_last: 20 }, { keep_last: 20, keep_days: null }],
      [{}, { keep_last: null, keep_days: null }],
      [null, null],
    ];
    for (const [retention, requested] of cases) {
      await gateway.call('PATCH', path, jsonBody({ retention }));
      expect(fakes.requested.at(-1)?.body).toEqual({
        project_id: projectId,
        changes: { retention: requested },
      });
    }
  });

  test('null leaves the name and clears the other fields', async () => {
    const body = { name: null, description: null };
    await gateway.call('PATCH', `/api/v1/projects/${projectId.toUpperCase()}`, jsonBody(body));
    expect(fakes.requested[0]?.body).toEqual({
      project_id: projectId,
      changes: { description: null },
    });
  });

  test('a page knows how many follow', async () => {
    const response = await gateway.call('GET', '/api/v1/projects?page=2&per_page=25');
    expect(await response.json()).toMatchObject({
      total: 51,
      page: 2,
      per_page: 25,
      total_pages: 3,
      has_more: true,
    });
  });
});

describe('The delete of a service', () => {
  const path = `/api/v1/services/${harness.serviceId}`;

  test.each(['', '?cascade=false'])('is refused while it has SBOMs (%p)', async (query) => {
    const response = await gateway.call('DELETE', path + query);
    const { code } = (await response.json()) as { code: string };
    expect([response.status, code]).toEqual([409, 'service_has_sboms']);
  });

  test('takes the SBOMs along where that is asked for', async () => {
    expect((await gateway.call('DELETE', `${path}?cascade=true`)).status).toBe(204);
    const requested = fakes.requested.filter(({ subject }) => subject === deleteService.subject);
    expect(requested.map(({ body }) => body)).toEqual([
      { service_id: harness.serviceId, cascade: true, project_id: null },
    ]);
  });

  test('with another word than true and false deletes nothing', async () => {
    expect((await gateway.call('DELETE', `${path}?cascade=yes`)).status).toBe(422);
    expect(fakes.requested).toEqual([]);
  });
});

test.each([
  ['projects', 'project_not_found'],
  ['services', 'service_not_found'],
])('%s that are unknown cannot be deleted', async (kind, code) => {
  const response = await gateway.call('DELETE', `/api/v1/${kind}/${harness.missingId}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code });
});

describe('The detail of an SBOM', () => {
  test('holds the dependencies and vulnerabilities as their owners wrote them', async () => {
    const response = await gateway.call('GET', `/api/v1/sboms/${sbomId}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      dependencies: harness.dependencies,
      vulnerabilities: [harness.brief],
      coverage: { components: 2, evaluated: 2, undetermined: {}, scope: 'all' },
      advisory_data: 'feed',
    });
  });

  test.each(['pending', 'failed'] as const)(
    'shows no vulnerabilities while the scan is %s, and asks for none',
    async (scanStatus) => {
      fakes.scanStatus = scanStatus;
      const response = await gateway.call('GET', `/api/v1/sboms/${sbomId}`);
      const body = (await response.json()) as Record<string, unknown>;
      const scan_error = scanStatus === 'failed' ? harness.scanError : null;
      expect(body).toMatchObject({ scan_status: scanStatus, scan_error, vulnerabilities: [] });
      const status = { operationId: 'getSbom', status: 200, body };
      expect(checkResponse(gateway.contract, status)).toEqual([]);
      expect(fakes.requested.map(({ subject }) => subject)).not.toContain(
        'reconciler.list-sbom-vulnerabilities.v1',
      );
    },
  );
});

describe('The download of an SBOM', () => {
  const path = `/api/v1/sboms/${sbomId}/download`;

  test.each(['identity', 'gzip'])('gives exactly the uploaded bytes (%s)', async (encoding) => {
    const response = await gateway.call('GET', path, { headers: { 'accept-encoding': encoding } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(harness.documentBytes)).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('etag')).toBe(
      `${encoding === 'gzip' ? 'W/' : ''}"${harness.documentSha256}"`,
    );
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="Kase_Checkout-1.4.0.cdx.json"',
    );
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
  });

  test.each(['br', 'deflate', 'gzip;q=0, br'])(
    'is not packed in a way that its strong entity tag would not be true of (%s)',
    async (encoding) => {
      const headers = { 'accept-encoding': encoding };
      const response = await gateway.call('GET', path, { headers });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('content-length')).toBe(String(harness.documentBytes.length));
      expect(response.headers.get('etag')).toBe(`"${harness.documentSha256}"`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.equals(harness.documentBytes)).toBe(true);
    },
  );

  test('answers HEAD with the headers alone', async () => {
    const headers = { 'accept-encoding': 'identity' };
    const response = await gateway.call('HEAD', path, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(harness.documentBytes.length));
    expect(await response.text()).toBe('');
  });
});

describe('The diff of two SBOMs', () => {
  const diffSubject = 'ingest.diff-components.v1';

  test('is asked for from the first to the other, and handed on as it was written', async () => {
    const path = `/api/v1/sboms/${sbomId.toUpperCase()}/diff/${harness.otherSbomId}`;
    const response = await gateway.call('GET', path);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(harness.diff);
    const [requested] = fakes.requested.filter(({ subject }) => subject === diffSubject);
    expect(requested?.body).toEqual({ from: 'd'.repeat(64), to: 'e'.repeat(64) });
  });

  test.each([sbomId, harness.twinSbomId])(
    'is empty where both have the same components, and nobody is asked (%s)',
    async (otherId) => {
      const response = await gateway.call('GET', `/api/v1/sboms/${sbomId}/diff/${otherId}`);
      expect(await response.json()).toEqual({ added: [], removed: [], changed: [] });
      expect(fakes.requested.map(({ subject }) => subject)).not.toContain(diffSubject);
    },
  );

  test('names every id that is no UUID', async () => {
    const response = await gateway.call('GET', '/api/v1/sboms/1/diff/2');
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] };
    expect(detail.map(({ loc, type }) => [...loc, type])).toEqual([
      ['path', 'sbom_id', 'uuid_parsing'],
      ['path', 'other_id', 'uuid_parsing'],
    ]);
  });
});

describe('The active list', () => {
  test('names project and service', async () => {
    const response = await gateway.call('GET', '/api/v1/vulnerabilities/active');
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    expect(items[0]).toMatchObject({ project_name: 'Web Shop', service_name: 'Checkout' });
    expect(items[0]).toHaveProperty('service_id', harness.serviceId);
  });

  test('is asked for with the defaults of the contract and the severities as a list', async () => {
    await gateway.call('GET', '/api/v1/vulnerabilities/active?severity=High,low&cve_id=');
    expect(fakes.requested.find(({ subject }) => subject.includes('list-active'))?.body).toEqual({
      page: 1,
      per_page: 50,
      severity: ['high', 'low'],
      sort: 'cvss_score',
      order: 'desc',
    });
  });
});

describe('Readiness', () => {
  test('is degraded when only the notifier is away, and not ready without the catalog', async () => {
    const response = await gateway.call('GET', '/readyz');
    const body = (await response.json()) as { checks: Record<string, string> };
    expect(response.status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { notifier: 'down', ingest: 'up' },
      advisories: { data: 'feed', oldest_age_seconds: 90, stale: ['npm'], failed: ['npm'] },
    });
    const readiness = { operationId: 'getReadiness', status: 200, body };
    expect(checkResponse(gateway.contract, readiness)).toEqual([]);
  });
});

describe('The API page', () => {
  test('is served with all that it needs from here', async () => {
    const page = await fetch(`http://127.0.0.1:${gateway.port}/api/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset ?? '');
    expect(assets).toContain('docs/swagger-ui-bundle.js');
    for (const asset of assets) {
      const response = await fetch(new URL(asset, page.url));
      expect([asset, response.status]).toEqual([asset, 200]);
      await response.arrayBuffer();
    }
    const init = await fetch(new URL('docs/swagger-ui-init.js', page.url));
    expect(await init.text()).toContain('"swaggerUrl": "openapi.json"');
  });
});

function jsonBody(body: unknown): RequestInit {
  if (body === undefined) return {};
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
