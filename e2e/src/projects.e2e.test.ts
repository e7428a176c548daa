import { concurrencyTests } from './projects/concurrency-tests';
import { deletionTests } from './projects/deletion-tests';
import { keysTests } from './projects/keys-tests';
import { killTests } from './projects/kill-tests';
import { namesTests } from './projects/names-tests';
import { startTestStack, type TestStack } from './support/test-stack';

/** Projects and keys in one stack, at last while its processes are killed. */
let running: TestStack;
const stack = (): TestStack => running;

beforeAll(async () => {
  running = await startTestStack({});
});
afterAll(() => running?.stop());

describe('Names', () => namesTests(stack));
describe('Deletions', () => deletionTests(stack));
describe('Calls at once', () => concurrencyTests(stack));
describe('Keys and the audit log', () => keysTests(stack));
describe('Killed processes', () => killTests(stack));
