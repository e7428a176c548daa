import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../real-data';

/**
 * Starts one more process of a service, waits until it takes work, ends it, and gives the packages of
 * OpenTelemetry that it had loaded by then.
 *
 * @param env its settings
 */
export async function openTelemetryLoadedBy(
  service: string,
  env: Record<string, string>,
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-loaded-'));
  const probe = path.join(folder, 'probe.cjs');
  const out = path.join(folder, 'loaded.json');
  await writeFile(probe, probeThat(out));
  const main = path.join(repositoryRoot, 'services', service, 'dist', 'main.js');
  const child = spawn(process.execPath, ['--require', probe, main], {
    env: { PATH: process.env['PATH'], INTERNAL_HTTP_PORT: '0', ...env },
    stdio: 'ignore',
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  await closed;
  const loaded = JSON.parse(await readFile(out, 'utf8')) as string[];
  await rm(folder, { recursive: true });
  const names = loaded.flatMap((file) => /@opentelemetry[\\/][\w-]+/.exec(file)?.[0] ?? []);
  return [...new Set(names)].sort();
}

/** Code that ends its process as soon as that listens for the signal, which is when it takes work. */
function probeThat(out: string): string {
  return `
    const { writeFileSync } = require('node:fs');
    process.on('newListener', (event) => {
      if (event === 'SIGTERM') setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    });
    process.on('exit', () => {
      writeFileSync(${JSON.stringify(out)}, JSON.stringify(Object.keys(require.cache)));
    });
  `;
}
