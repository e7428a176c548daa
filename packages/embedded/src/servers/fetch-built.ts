import { copyFile, chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installIntoCache } from './install-into-cache';
import { MONGOD_DOWNLOAD_VERSION, NATS_GO_MODULE, NATS_GO_VERSION } from './pins';
import { mustRun } from './run-tool';
import type { ServerKind } from './server-kind';

/**
 * Fetches a server without a pinned wheel: mongod from MongoDB's downloads (checked against its checksum),
 * nats-server built by Go. Stores it as `<folder>/<kind>`. @throws Error with the reason
 */
export async function fetchBuilt(kind: ServerKind, folder: string): Promise<void> {
  await installIntoCache(folder, kind === 'mongod' ? downloadMongod : buildNatsServer);
}

async function downloadMongod(temporary: string): Promise<void> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const downloadDir = join(temporary, 'download');
  await mkdir(downloadDir);
  const version = MONGOD_DOWNLOAD_VERSION;
  const found = await MongoBinary.getPath({ version, downloadDir, checkMD5: true });
  await copyFile(found, join(temporary, 'mongod'));
  await chmod(join(temporary, 'mongod'), 0o755);
  await rm(downloadDir, { recursive: true });
}

async function buildNatsServer(temporary: string): Promise<void> {
  const env = { ...process.env, GOBIN: temporary, GOFLAGS: '' };
  await mustRun('go', ['install', `${NATS_GO_MODULE}@v${NATS_GO_VERSION}`], env);
}
