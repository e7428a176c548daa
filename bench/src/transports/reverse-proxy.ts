import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createApi } from '../load/api';
import type { ProcessRef } from '../measure/process-usage';
import { repositoryRoot } from '../paths';
import type { Transport } from './transport';

/** A proxy in a process of its own, and the REST API behind it. */
export async function openReverseProxy(options: {
  baseUrl: string;
  apiKey: string;
  signal: AbortSignal;
}): Promise<Transport & { process: ProcessRef }> {
  const program = join(repositoryRoot(), 'bench', 'dist', 'transports', 'proxy-main.js');
  const proxy = fork(program, [new URL(options.baseUrl).port]);
  const [port] = (await once(proxy, 'message')) as [number];
  const api = createApi({ ...options, baseUrl: `http://127.0.0.1:${port}` });
  return {
    process: { name: 'proxy', pid: proxy.pid ?? 0 },
    prepareUpload: (upload) => api.prepareUpload(upload),
    close: async () => {
      api.close();
      proxy.kill();
      await once(proxy, 'exit');
    },
  };
}
