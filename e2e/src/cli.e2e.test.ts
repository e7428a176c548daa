import { commandTests } from './cli/command-tests';
import { decisionRuleTests } from './cli/decision-rule-tests';
import { faultTests } from './cli/fault-tests';
import { gateTests } from './cli/gate-tests';
import { importTests } from './cli/import-tests';
import { templateTests } from './cli/template-tests';
import { startCliBench, type CliBench } from './support/cli/cli-bench';

/** The command line, installed once, beside one stack. */
let bench: CliBench;
const cli = (): CliBench => bench;

beforeAll(async () => {
  bench = await startCliBench();
});
afterAll(() => bench?.stop());

describe('Uploads', () => gateTests(cli));
describe('Commands', () => commandTests(cli));
describe('Standing rules', () => decisionRuleTests(cli));
describe('Imports', () => importTests(cli));
describe('The templates for CI', () => templateTests(cli));
describe('Where something fails', () => faultTests(cli));
