import { loadContract } from '@bomtrail/api-contract';
import { statusCases } from './statuses/cases';
import { maxUploadBytes } from './statuses/cases-of-every-operation';
import { sendCase } from './statuses/send-case';
import { titleOf } from './statuses/status-case';
import { createHarness, type Harness } from './statuses/harness';
import { startTestStack, type TestStack } from './support/test-stack';
import { startTokenIssuer, type TokenIssuer } from './support/token-issuer';

const contract = loadContract();
const cases = statusCases(contract).map((each) => [titleOf(each), each] as const);
let running: TestStack;
let harness: Harness;
let issuer: TokenIssuer;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  running = await startTestStack({
    env: { MAX_UPLOAD_BYTES: String(maxUploadBytes) },
    serviceEnv: {
      gateway: {
        OIDC_ISSUER: issuer.issuer,
        OIDC_AUDIENCE: issuer.audience,
        OIDC_ROLES: JSON.stringify([{ group: 'viewers', role: 'viewer' }]),
      },
    },
  });
  harness = await createHarness(running, { people: issuer });
});
afterAll(async () => {
  await running?.stop();
  await issuer?.stop();
});

test.each(cases)('%s', async (_title, each) => {
  const response = await sendCase(contract, harness, each);
  const text = await response.text();
  expect([response.status, text.slice(0, 500)]).toEqual([each.status, expect.anything()]);
  if (each.code !== undefined) expect(JSON.parse(text)).toMatchObject({ code: each.code });
});
