import { loadContract } from '@bomtrail/api-contract';
import fc from 'fast-check';
import { breaches, expected, isError, observed } from './bad-requests/answer';
import { badRequests } from './bad-requests/all';
import { toWire, type BadRequest, type Harness } from './bad-requests/bad-request';
import { goodRequests, mutate, snippets, type Mutation } from './bad-requests/mutations';
import { exchange, type WireAnswer } from './bad-requests/wire';
import { createHarness } from './bad-requests/harness';
import { exceptionsIn } from './support/exception-lines';
import { startTestStack, type TestStack } from './support/test-stack';

const contract = loadContract();
const requestId = /^[A-Za-z0-9._:-]{1,128}$/;
let running: TestStack;
let harness: Harness;
let port: number;
let gatewayPid: number | null;

beforeAll(async () => {
  const env = { MAX_UPLOAD_BYTES: String(2 * 1024 * 1024), MAX_COMPONENTS: '2000' };
  running = await startTestStack({ env });
  port = Number(new URL(running.stack.baseUrl).port);
  harness = await createHarness(running);
  gatewayPid = pidOfGateway();
});

afterAll(() => running?.stop(), 60_000);

function pidOfGateway(): number | null {
  return running.stack.processes().find(({ name }) => name === 'gateway')?.pid ?? null;
}

/** Every answer, whatever was sent: no failure of ours, in the contract's shape, with an id. */
function expectDecent(answer: WireAnswer, at: { method: string; path: string } | null): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers.get('x-request-id')).toMatch(requestId);
  expect(breaches(contract, at, answer)).toEqual([]);
}

async function expectAlive(): Promise<void> {
  const bytes = [Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')];
  expect((await exchange(port, { bytes }))?.status).toBe(200);
}

/** Where the contract may know the request; null where the bytes do not tell. */
function placeOf(request: BadRequest): { method: string; path: string } | null {
  if (request.code === 'malformed_body' && request.raw !== undefined) return null;
  if (request.status === 431) return null;
  const line = /^\s*([A-Z]+) (\S+)/.exec(request.raw ?? '') ?? [];
  const { method = line[1] ?? 'GET', path = line[2] ?? '/api/v1/projects' } = request;
  return { method, path: (path.split('?')[0] ?? '').replace(/^http:\/\/[^/]+/, '') };
}

const all = Object.values(badRequests).flat();

test('there are at least 300 of them, each with a title of its own', () => {
  const titles = all.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(300);
});

describe.each(Object.entries(badRequests))('%s', (_kind, requests) => {
  test.each(requests.map((request) => [request.title, request] as const))(
    '%s',
    async (_title, request) => {
      const answer = await exchange(port, toWire(request, harness));
      expect(observed(answer)).toEqual(expected(request));
      if (answer) expectDecent(answer, placeOf(request));
      await expectAlive();
    },
  );
});

const offset = fc.double({ min: 0, max: 1, noNaN: true });
const length = fc.integer({ min: 1, max: 40 });
const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('replace'), at: offset, byte: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ kind: fc.constant('insert'), at: offset, text: fc.constantFrom(...snippets) }),
    fc.record({ kind: fc.constant('remove'), at: offset, length }),
    fc.record({ kind: fc.constant('repeat'), at: offset, length }),
  ),
  { minLength: 1, maxLength: 4 },
);

test('a good request with some bytes changed is answered decently, or its line is closed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...goodRequests), mutations, async (good, changes) => {
      const { bytes } = toWire({ title: '', status: 200, ...good }, harness);
      const mutant = mutate(Buffer.concat(bytes), changes);
      const answer = await exchange(port, { bytes: [mutant], giveUpMs: 400 });
      if (answer) {
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('x-request-id')).toMatch(requestId);
        if (answer.status >= 400) expect(isError(answer)).toBe(true);
      }
      await expectAlive();
    }),
    { numRuns: 400 },
  );
});

test('none of them was an exception, and the gateway is still the same process', () => {
  expect(exceptionsIn(running.dataDir)).toEqual([]);
  expect(pidOfGateway()).toBe(gatewayPid);
});
