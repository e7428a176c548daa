import { loadContract } from '@bomtrail/api-contract';
import { statusCases } from './statuses/cases';
import { maxUploadBytes } from './statuses/cases-of-every-operation';
import { sendCase } from './statuses/send-case';
import { titleOf } from './statuses/status-case';
import { createWorld, type World } from './statuses/world';
import { startTestStack, type TestStack } from './support/test-stack';

const contract = loadContract();
const cases = statusCases(contract).map((each) => [titleOf(each), each] as const);
let running: TestStack;
let world: World;

beforeAll(async () => {
  running = await startTestStack({ env: { MAX_UPLOAD_BYTES: String(maxUploadBytes) } });
  world = await createWorld(running);
});
afterAll(() => running?.stop());

test.each(cases)('%s', async (_title, each) => {
  const response = await sendCase(contract, world, each);
  const text = await response.text();
  expect([response.status, text.slice(0, 500)]).toEqual([each.status, expect.anything()]);
  if (each.code !== undefined) expect(JSON.parse(text)).toMatchObject({ code: each.code });
});
