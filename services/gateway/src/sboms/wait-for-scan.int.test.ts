import { getSbom, listSbomVulnerabilities, readCoverage, sbomsFinished } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { sbomId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

beforeEach(() => {
  fakes.requested.length = 0;
  fakes.scanStatus = 'pending';
});

const path = (wait: number): string => `/api/v1/sboms/${sbomId}?wait=${wait}`;

async function statusAfter(wait: number): Promise<string> {
  const response = await gateway.call('GET', path(wait));
  return ((await response.json()) as { scan_status: string }).scan_status;
}

interface Detail {
  scan_status: string;
  vulnerabilities: unknown[];
}

function requestsOf(requested: string): number {
  return fakes.requested.filter(({ subject }) => subject === requested).length;
}

const reads = (): number => requestsOf(getSbom.subject);

function untilRead(): Promise<void> {
  const check = () => {
    if (reads() === 0) throw new Error('not yet');
  };
  return eventually(check, { what: 'the state of the SBOM is read' });
}

describe('a reader that waits for a scan', () => {
  test.each(['scanned', 'failed'] as const)('is answered when it is %s', async (state) => {
    const result = statusAfter(60);
    await untilRead();
    fakes.scanStatus = state;
    gateway.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    expect(await result).toBe(state);
    // One look before the wait, one after it: nothing is polled.
    expect(reads()).toBe(2);
  });

  test.each([
    { state: 'scanned', found: 1, listed: 1 },
    // The vulnerabilities of a failed scan are not in the answer, though they were read.
    { state: 'failed', found: 0, listed: 1 },
    { state: 'pending', found: 0, listed: 0 },
  ] as const)('gets the parts that go with $state', async ({ state, found, listed }) => {
    const answer = gateway.call('GET', path(state === 'pending' ? 1 : 60));
    await untilRead();
    fakes.scanStatus = state;
    if (state !== 'pending') gateway.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    const detail = (await (await answer).json()) as Detail;
    expect(detail.scan_status).toBe(state);
    expect(detail.vulnerabilities).toHaveLength(found);
    expect(requestsOf(listSbomVulnerabilities.subject)).toBe(listed);
    expect(requestsOf(readCoverage.subject)).toBe(state === 'failed' ? 2 : 1);
  });

  test('is answered though the word was missed', async () => {
    const result = statusAfter(60);
    await untilRead();
    fakes.scanStatus = 'scanned';
    expect(await result).toBe('scanned');
  });

  test('learns that it is still pending when its time has passed', async () => {
    expect(await statusAfter(1)).toBe('pending');
  });

  test('does not wait for what is over already', async () => {
    fakes.scanStatus = 'scanned';
    expect(await statusAfter(60)).toBe('scanned');
    expect(reads()).toBe(1);
  });

  test('that has gone is not read for', async () => {
    const gone = new AbortController();
    const response = fetch(`http://127.0.0.1:${gateway.port}${path(60)}`, {
      headers: { authorization: `Bearer ${bootstrapKey}`, connection: 'close' },
      signal: gone.signal,
    });
    await untilRead();
    gone.abort();
    await expect(response).rejects.toThrow();
    fakes.scanStatus = 'scanned';
    // A reader that came later is answered, the one that has gone is not even looked for.
    await statusAfter(0);
    gateway.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    await statusAfter(0);
    expect(reads()).toBe(3);
    expect(gateway.errors).toEqual([]);
  });

  test.each(['-1', '61', 'soon', ''])('cannot wait for %j seconds', async (wait) => {
    const response = await gateway.call('GET', `/api/v1/sboms/${sbomId}?wait=${wait}`);
    expect(response.status).toBe(422);
  });

  test('is answered at once when the gateway stops', async () => {
    const result = statusAfter(60);
    await untilRead();
    await gateway.stopService();
    expect(await result).toBe('pending');
  });
});
