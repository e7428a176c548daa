const { execFileSync } = require('node:child_process');
const { mkdtemp, rm } = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '..', '..', '..');
const embedded = path.join(root, 'packages', 'embedded');
const tsc = path.join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

/**
 * Set-up of the `int` suite: one mongod for the whole run, whose address test files find in
 * BOMTRAIL_TEST_MONGODB_URI; one that the caller has set is used instead. Builds the embedded package
 * first, because jest loads this file without the suite's transforms.
 */
module.exports = async function globalSetup() {
  if (process.env.BOMTRAIL_TEST_MONGODB_URI) return;
  execFileSync(process.execPath, [tsc, '-b', embedded], { stdio: 'inherit' });
  const { freePort, locateServers, onFreePort, serverCacheDir, startMongod } = require(embedded);
  const say = (line) => process.stderr.write(`${line}\n`);
  const { mongod: binary } = await locateServers({ cacheDir: serverCacheDir(), say });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bomtrail-int-'));
  const dataDir = path.join(folder, 'mongod');
  const mongod = await onFreePort(freePort, (port) =>
    startMongod({ binary, dataDir, port, cacheSizeGb: 0.5 }),
  );
  process.env.BOMTRAIL_TEST_MONGODB_URI = mongod.url;
  globalThis.stopSharedMongod = async () => {
    mongod.kill('SIGKILL');
    await mongod.exited;
    await rm(folder, { recursive: true, force: true });
  };
};
