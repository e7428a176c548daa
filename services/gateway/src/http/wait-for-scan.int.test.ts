import { getSbom, sbomsFinished } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { sbomId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let played: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  played = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

beforeEach(() => {
  played.asked.length = 0;
  played.scanStatus = 'pending';
});

const path = (wait: number): string => `/api/v1/sboms/${sbomId}?wait=${wait}`;

async function statusAfter(wait: number): Promise<string> {
  const response = await gateway.call('GET', path(wait));
  return ((await response.json()) as { scan_status: string }).scan_status;
}

function reads(): number {
  return played.asked.filter(({ subject }) => subject === getSbom.subject).length;
}

function untilRead(): Promise<void> {
  const check = () => {
    if (reads() === 0) throw new Error('not yet');
  };
  return eventually(check, { what: 'the state of the SBOM is read' });
}

describe('a reader that waits for a scan', () => {
  test.each(['scanned', 'failed'] as const)('is answered when it is %s', async (state) => {
    const answered = statusAfter(60);
    await untilRead();
    played.scanStatus = state;
    gateway.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    expect(await answered).toBe(state);
    // One look before the wait, one after it: nothing is polled.
    expect(reads()).toBe(2);
  });

  test('is answered though the word was missed', async () => {
    const answered = statusAfter(60);
    await untilRead();
    played.scanStatus = 'scanned';
    expect(await answered).toBe('scanned');
  });

  test('learns that it is still pending when its time has passed', async () => {
    expect(await statusAfter(1)).toBe('pending');
  });

  test('does not wait for what is over already', async () => {
    played.scanStatus = 'scanned';
    expect(await statusAfter(60)).toBe('scanned');
    expect(reads()).toBe(1);
  });

  test('that has gone is not read for', async () => {
    const gone = new AbortController();
    const answer = fetch(`http://127.0.0.1:${gateway.port}${path(60)}`, {
      headers: { authorization: `Bearer ${bootstrapKey}`, connection: 'close' },
      signal: gone.signal,
    });
    await untilRead();
    gone.abort();
    await expect(answer).rejects.toThrow();
    played.scanStatus = 'scanned';
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
    const answered = statusAfter(60);
    await untilRead();
    await gateway.stopService();
    expect(await answered).toBe('pending');
  });
});
