import { createApiClient, type HttpSend } from '@bomtrail/api-client';
import { unscannedSbom } from './unscanned-sbom';

const scope = { project_id: 'p', service_id: 's' };

/** What is said while the server lists these SBOMs, the newest first. */
function saidOf(
  items: { id: string; scan_status: string; retained?: boolean; coverage?: object }[],
  of = scope as Partial<typeof scope>,
) {
  const asked: string[] = [];
  const fetch: HttpSend = (url) => {
    asked.push(url.pathname + url.search);
    return Promise.resolve(Response.json({ items }));
  };
  const api = createApiClient({ baseUrl: 'http://bomtrail.example', apiKey: 'k', fetch });
  return unscannedSbom(api, of).then((said) => ({ said, asked }));
}

test.each([
  ['pending', 'its newest SBOM is not scanned: bomtrail status n --wait'],
  ['failed', 'the scan of its newest SBOM n failed: upload it again'],
  ['scanned', null],
])('of a service whose newest SBOM is %s is said %j', async (scan_status, said) => {
  const older = { id: 'o', scan_status: 'scanned' };
  expect(await saidOf([{ id: 'n', scan_status }, older])).toEqual({
    said,
    asked: ['/api/v1/projects/p/history?per_page=1&service_id=s'],
  });
});

test('of a service whose newest SBOM is expired is said that retention dropped its content', async () => {
  expect((await saidOf([{ id: 'n', scan_status: 'scanned', retained: false }])).said).toBe(
    'retention dropped the content of its newest SBOM n: upload it again',
  );
});

test('of a service without an evaluated component is said that there is none', async () => {
  const newest = (components: number, evaluated: number) => ({
    id: 'n',
    scan_status: 'scanned',
    retained: true,
    coverage: { components, evaluated },
  });
  for (const components of [2, 0])
    expect((await saidOf([newest(components, 0)])).said).toBe(
      'no component of its newest SBOM could be evaluated: bomtrail status n',
    );
  expect((await saidOf([newest(2, 1)])).said).toBeNull();
});

test('of a service or project without SBOMs is said that it has none, and all projects are not looked through', async () => {
  expect((await saidOf([])).said).toBe('it has no SBOM');
  expect((await saidOf([], { project_id: 'p' })).said).toBe('it has no SBOM');
  expect(await saidOf([], {})).toEqual({ said: null, asked: [] });
});

/** What is said of a project whose services, and the project itself, have these newest SBOMs. */
function saidOfProject(
  services: [name: string, scan_status?: string, others?: object][],
  ofProject = 'scanned',
) {
  const fetch: HttpSend = ({ pathname }) =>
    Promise.resolve(
      Response.json(
        pathname.endsWith('/services')
          ? services.map(([name, scan_status, others]) => ({
              name,
              latest_sbom: { scan_status, ...others },
            }))
          : {
              items: [
                { service_id: 's', scan_status: 'failed' },
                { service_id: null, scan_status: ofProject },
                { service_id: null, scan_status: 'failed' },
              ],
            },
      ),
    );
  const api = createApiClient({ baseUrl: 'http://bomtrail.example', apiKey: 'k', fetch });
  return unscannedSbom(api, { project_id: 'p' });
}

test('of a project is said whose newest SBOM is not scanned', async () => {
  expect(await saidOfProject([['web', 'scanned'], ['earlier server']])).toBeNull();
  expect(await saidOfProject([['web', 'pending']])).toBe(
    'the newest SBOM of web is not scanned (pending)',
  );
  expect(
    await saidOfProject(
      [
        ['web', 'failed'],
        ['api', 'scanned'],
      ],
      'pending',
    ),
  ).toBe('the newest SBOM of web, and 1 more, is not scanned (failed)');
  const expired = { retained: false, coverage: null };
  expect(await saidOfProject([['web', 'scanned', expired]])).toBe(
    'the newest SBOM of web has no content any more: retention dropped it',
  );
  const unevaluated = { retained: true, coverage: { components: 2, evaluated: 0 } };
  expect(await saidOfProject([['web', 'scanned', unevaluated]])).toBe(
    'the newest SBOM of web has no component that could be evaluated',
  );
});
