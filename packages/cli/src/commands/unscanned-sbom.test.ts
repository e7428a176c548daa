import { createApiClient, type HttpSend } from '@bomtrail/api-client';
import { unscannedSbom } from './unscanned-sbom';

const scope = { project_id: 'p', service_id: 's' };

/** What is said while the server lists these SBOMs, the newest first. */
function saidOf(items: { id: string; scan_status: string }[], of = scope as Partial<typeof scope>) {
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

test('a service without SBOMs, and a whole project, have no newest SBOM', async () => {
  expect((await saidOf([])).said).toBeNull();
  expect(await saidOf([], { project_id: 'p' })).toEqual({ said: null, asked: [] });
});
