import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './run-child.mjs';
import { exitCodeOf, totalsLine, totalsOf } from './test-totals.cjs';

/** Tests wait for timers, sweeps and retries in a third of their time: so many at once keep two cores busy. */
const ARGUMENTS = {
  unit: ['--maxWorkers=3'],
  int: ['--maxWorkers=3', '--workerIdleMemoryLimit=1GB'],
  e2e: ['--maxWorkers=3', '--testSequencer=./scripts/lib/longest-first.cjs'],
  long: ['--maxWorkers=2'],
};

/** What the commands run, in this order. */
export const SUITES = { test: ['unit', 'int', 'e2e'], 'test-long': ['long'] };

/**
 * Runs suites with the given jest arguments (such as a path) and ends with their totals in one
 * line. Gives the exit code: 1 when anything failed, a suite could not run, or no test ran.
 */
export async function runTests(root, suites, jestArgs) {
  await locateServers(root);
  const folder = mkdtempSync(join(tmpdir(), 'bomtrail-test-results-'));
  try {
    const results = [];
    for (const suite of suites) results.push(await runSuite({ root, folder, suite, jestArgs }));
    const totals = totalsOf(results);
    console.log(totalsLine(totals));
    return exitCodeOf(totals);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Once, before the tests: so that they do not each fetch what is missing. */
async function locateServers(root) {
  const embedded = createRequire(import.meta.url)(join(root, 'packages', 'embedded'));
  const cacheDir = embedded.serverCacheDir();
  await embedded.locateServers({ cacheDir, say: (line) => console.error(line) });
}

async function runSuite({ root, folder, suite, jestArgs }) {
  const outputFile = join(folder, `${suite}.json`);
  const reporter = join(root, 'scripts', 'lib', 'jest-reporter.cjs');
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  // Options that take lists come first: they would swallow a path behind them.
  const lists = ['--selectProjects', suite, '--reporters', reporter];
  const report = ['--json', '--outputFile', outputFile, '--passWithNoTests'];
  await runChild(process.execPath, [jest, ...lists, ...report, ...ARGUMENTS[suite], ...jestArgs], {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  try {
    return JSON.parse(readFileSync(outputFile, 'utf8'));
  } catch {
    console.error(`The ${suite} suite ended without a result.`);
    return undefined;
  }
}
