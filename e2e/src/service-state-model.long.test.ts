import { makeAdvisoryFolder, type AdvisoryFolder } from '@bomtrail/reference-model';
import { sequence } from '@bomtrail/testkit';
import { createProjectDriver } from './support/service-state/project-driver';
import { startTestStack, type TestStack } from './support/test-stack';

/** `BOMTRAIL_TEST_LEDGER_SEQUENCES=100` plays so many; the same ones again by `BOMTRAIL_TEST_SEED`. */
const { BOMTRAIL_TEST_LEDGER_SEQUENCES: countSetting, BOMTRAIL_TEST_SEED: seedSetting } =
  process.env;
const sequences = Number(countSetting ?? 3);
const seed = Number(seedSetting ?? (countSetting ? Date.now() % 2 ** 31 : 20_260_101));
const rounds = countSetting ? 6 : 2;
const stepsPerRound = 4;
const atOnce = 10;
const limitMs = 240_000 + sequences * 60_000;

let running: TestStack;
let folder: AdvisoryFolder;

beforeAll(async () => {
  folder = await makeAdvisoryFolder();
  await folder.put({
    id: 'GHSA-first',
    aliases: [],
    affects: ['none@1.0.0'],
    severity: 'medium',
    withdrawn: false,
  });
  running = await startTestStack({
    env: { BOMTRAIL_ADVISORY_SOURCE: folder.path, LOG_LEVEL: 'error' },
  });
});

afterAll(async () => {
  await running?.stop();
  await folder?.discard();
});

/** Projects that go through their rounds together, so that they wait for the feed together. */
async function runSequences(numbers: readonly number[]): Promise<void> {
  const { client, target } = running;
  const drivers = await Promise.all(
    numbers.map((number) =>
      createProjectDriver(
        { client, target, folder },
        { name: `m${number}`, draw: sequence(seed + number) },
      ),
    ),
  );
  const each = (work: (driver: (typeof drivers)[number]) => Promise<void>): Promise<void[]> =>
    Promise.all(drivers.map(work));
  await each((driver) => driver.changeAdvisory());
  for (let round = 0; round < rounds; round++) {
    await each(async (driver) => {
      await driver.act(stepsPerRound);
      await driver.current();
      await driver.changeAdvisory();
    });
    await each((driver) => driver.current());
  }
}

test(
  `what the API shows of ${sequences} projects in random sequences is what a naive model says (seed ${seed})`,
  async () => {
    for (let first = 0; first < sequences; first += atOnce) {
      const count = Math.min(atOnce, sequences - first);
      await runSequences(Array.from({ length: count }, (_, index) => first + index));
    }
  },
  limitMs,
);
