/// <reference types="jest" />
import { loadContract } from '@bomtrail/api-contract';
import { statusCases } from '../statuses/cases';
import { sendCase } from '../statuses/send-case';
import { titleOf } from '../statuses/status-case';
import { createHarness, type Harness } from '../statuses/harness';
import type { TestStack } from '../support/test-stack';
import type { TokenIssuer } from '../support/token-issuer';

const contract = loadContract();
const cases = statusCases(contract).map((each) => [titleOf(each), each] as const);

/** A test of each status of each operation of the contract. In the stack the group `viewers` may read. */
export function statusTests(stack: () => TestStack, issuer: () => TokenIssuer): void {
  let harness: Harness;

  beforeAll(async () => {
    harness = await createHarness(stack(), { people: issuer() });
  });

  test.each(cases)('%s', async (_title, each) => {
    const response = await sendCase(contract, harness, each);
    const text = await response.text();
    expect([response.status, text.slice(0, 500)]).toEqual([each.status, expect.anything()]);
    if (each.code !== undefined) expect(JSON.parse(text)).toMatchObject({ code: each.code });
  });
}
