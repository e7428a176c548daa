import { loadContract } from '@bomtrail/api-contract';
import { statusCases } from './statuses/cases';
import { maxUploadBytes } from './statuses/cases-of-every-operation';
import { sendCase } from './statuses/send-case';
import { titleOf } from './statuses/status-case';
import { createHarness, type Harness } from './statuses/harness';
import { startTestStack, type TestStack } from './support/test-stack';

const contract = loadContract();
const cases = statusCases(contract).map((each) => [titleOf(each), each] as const);
let running: TestStack;
let harness: Harness;

beforeAll(async () => {
  running = await startTestStack({ env: { MAX_UPLOAD_BYTES: String(maxUploadBytes) } });
  harness = await createHarness(running);
});
afterAll(() => running?.stop());

test.each(cases)('%s', async (_title, each) => {
  const response = await sendCase(contract, harness, each);
  const text = await response.text();
  expect([response.status, text.slice(0, 500)]).toEqual([each.status, expect.anything()]);
  if (each.code !== undefined) expect(JSON.parse(text)).toMatchObject({ code: each.code });
});
