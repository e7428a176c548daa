import { startTestStack, type TestStack } from './support/test-stack';
import { parityBounds } from './support/parity-documents';
import { startTokenIssuer, type TokenIssuer } from './support/token-issuer';
import { grpcTests } from './transports/grpc-tests';
import { roleTests, rolesOfTwoProjects } from './transports/role-tests';
import { statusTests } from './transports/status-tests';

/** What the operations of both transports respond, to whom, in one stack. */
let issuer: TokenIssuer;
let running: TestStack;
const stack = (): TestStack => running;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  running = await startTestStack({
    env: {
      MAX_UPLOAD_BYTES: String(parityBounds.MAX_UPLOAD_BYTES),
      MAX_COMPONENTS: String(parityBounds.MAX_COMPONENTS),
    },
    serviceEnv: {
      gateway: {
        OIDC_ISSUER: issuer.issuer,
        OIDC_AUDIENCE: issuer.audience,
        OIDC_ROLES: JSON.stringify([{ group: 'viewers', role: 'viewer' }, ...rolesOfTwoProjects]),
      },
    },
  });
});
afterAll(async () => {
  await running?.stop();
  await issuer?.stop();
});

describe('Over gRPC', () => grpcTests(stack));
describe('Roles', () => roleTests(stack, () => issuer));
describe('Statuses', () => statusTests(stack, () => issuer));
