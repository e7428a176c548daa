import { randomUUID } from 'node:crypto';
import { send, type HttpResponse, type Target } from '@bomtrail/api-client';

/** What a load has seen so far. */
export interface Load {
  readonly answered: number;
  /** What was not answered as it should be, in words. */
  readonly failures: readonly string[];
  /** Ends after the requests in hand. */
  stop(): Promise<void>;
}

const requestsAtOnce = 8;

/** A small document with one component of its own, so that no two uploads are the same. */
function smallDocument(): Buffer {
  const name = `package-${randomUUID()}`;
  const component = { type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` };
  const components = [component, { ...component, name: 'lodash', purl: 'pkg:npm/lodash@4.17.15' }];
  return Buffer.from(
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }),
  );
}

/** Reads and uploads without a pause, several at once, and notes every one that fails. */
export function steadyLoad(target: Target, projectId: string): Load {
  const state = { answered: 0, failures: [] as string[], stopping: false };
  const upload = (): Promise<HttpResponse> => {
    const form = new FormData();
    form.set('project_id', projectId);
    form.set('service_name', 'loaded');
    form.set('version', randomUUID());
    form.set('file', new Blob([new Uint8Array(smallDocument())]), 'bom.json');
    return send(target, { method: 'POST', path: '/api/v1/sboms/upload', body: form });
  };
  const reads = ['/api/v1/projects', '/api/v1/vulnerabilities/active', '/healthz'];
  const one = (turn: number): Promise<HttpResponse> => {
    const path = reads[turn % (reads.length + 1)];
    return path === undefined ? upload() : send(target, { method: 'GET', path });
  };
  const loop = async (first: number): Promise<void> => {
    for (let turn = first; !state.stopping; turn += 1) {
      try {
        const answer = await one(turn);
        await answer.arrayBuffer();
        if (answer.ok) state.answered += 1;
        else state.failures.push(`status ${answer.status}`);
      } catch (error) {
        state.failures.push(String((error as Error).cause ?? error));
      }
    }
  };
  const loops = Array.from({ length: requestsAtOnce }, (_, index) => loop(index));
  return {
    get answered() {
      return state.answered;
    },
    failures: state.failures,
    async stop() {
      state.stopping = true;
      await Promise.all(loops);
    },
  };
}
