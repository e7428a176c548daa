import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireNode } from './lib/node-version.mjs';
import { build, install } from './lib/prepare.mjs';
import { runChild } from './lib/run-child.mjs';
import { runTests, SUITES } from './lib/run-tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Commands that run one built program; the others run tests. */
const PROGRAMS = {
  start: ['packages/embedded/dist/main.js', 'start'],
  dev: ['packages/embedded/dist/main.js', 'dev'],
  demo: ['packages/embedded/dist/main.js', 'demo'],
  keys: ['packages/embedded/dist/main.js', 'keys'],
  reconcile: ['packages/embedded/dist/main.js', 'reconcile'],
  'dead-letters': ['packages/embedded/dist/main.js', 'dead-letters'],
  backup: ['packages/backup/dist/main.js', 'backup'],
  restore: ['packages/backup/dist/main.js', 'restore'],
  bench: ['bench/dist/main.js'],
  hostile: ['bench/dist/main.js', 'hostile'],
  chaos: ['chaos/dist/main.js'],
  bundle: ['scripts/bundle.mjs'],
  executables: ['packages/cli/executables.mjs'],
  cluster: ['chaos/dist/cluster/main.js'],
  upgrade: ['chaos/dist/upgrade/main.js'],
  'test-deploy': ['delivery/dist/main.js', 'check'],
  images: ['delivery/dist/main.js', 'images'],
  'test-cluster-api': ['delivery/dist/main.js', 'cluster-api'],
  release: ['delivery/dist/main.js', 'release'],
  sizing: ['delivery/dist/main.js', 'sizing'],
  'check-versions': ['packages/versioning/dist/check/check-versions.js'],
  'check-matching': ['e2e/dist/check-matching.js'],
  'check-contract': ['e2e/dist/check-contract.js'],
  'audit-self': ['e2e/dist/audit-self.js'],
  'check-bundles': ['e2e/dist/check-bundles.js'],
};

/** From a fresh clone to a running command: checks Node.js, installs, builds, then runs it. */
async function main([command, ...args]) {
  requireNode('20.19');
  const suites = SUITES[command ?? ''];
  if (!suites && !Object.hasOwn(PROGRAMS, command ?? '')) {
    console.error(
      `Usage: node scripts/bomtrail.mjs <${[...Object.keys(SUITES), ...Object.keys(PROGRAMS)].join('|')}> [arguments]`,
    );
    return 1;
  }
  await install(root);
  await build(root);
  if (suites) return runTests(root, suites, args);
  const [program, ...first] = PROGRAMS[command];
  const path = join(root, program);
  if (!existsSync(path)) {
    console.error(`${program} is missing after the build: is this a complete checkout?`);
    return 1;
  }
  return runChild(process.execPath, ['--enable-source-maps', path, ...first, ...args]);
}

process.exit(await main(process.argv.slice(2)));
