import { randomBytes } from 'node:crypto';
import { createApiClient, sendForJson } from '@bomtrail/api-client';
import type { Stack } from '@bomtrail/embedded';
import { connectGrpc, documentOf } from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import type { RunningCaddy } from './run-caddy';

const vulnerable = 'lodash@4.17.15';
const largeBytes = 20_000_000;
const waitSeconds = 30;
/** Headers that a proxy may set by itself, or that differ for each response. */
const own = new Set(['via', 'date', 'x-request-id', 'connection', 'keep-alive', 'alt-svc']);

type Attempt = (stack: Stack, proxy: RunningCaddy) => Promise<string[]>;

/** What must pass through the proxy as if it were not there. The last one stops the gateway. */
const attempts: Readonly<Record<string, Attempt>> = {
  'responses have the headers of the gateway': headerErrors,
  'a large upload, its findings with ?wait=, its bytes': uploadErrors,
  'an upload without a key is rejected before it is sent whole': rejectionErrors,
  'an upload and a check over gRPC': grpcErrors,
  'a request while the gateway starts again waits for it': restartErrors,
};

/** Errors by what was tried. */
export async function passErrors(
  stack: Stack,
  proxy: RunningCaddy,
): Promise<[what: string, errors: string[]][]> {
  const tried: [what: string, errors: string[]][] = [];
  for (const [what, attempt] of Object.entries(attempts))
    tried.push([what, await attempt(stack, proxy).catch((error: Error) => [error.message])]);
  return tried;
}

async function headerErrors(stack: Stack, { baseUrl }: RunningCaddy): Promise<string[]> {
  const errors: string[] = [];
  for (const path of ['/', '/api/docs', '/api/openapi.json', '/version', '/api/v1/projects']) {
    const [direct, passed] = await Promise.all([
      fetch(stack.baseUrl + path),
      fetch(baseUrl + path),
    ]);
    if (direct.status !== passed.status)
      errors.push(`${path} is ${passed.status} instead of ${direct.status}`);
    const names = new Set([...direct.headers.keys(), ...passed.headers.keys()]);
    for (const name of names)
      if (!own.has(name) && direct.headers.get(name) !== passed.headers.get(name))
        errors.push(
          `${path}: ${name} is ${passed.headers.get(name)} instead of ${direct.headers.get(name)}`,
        );
    await Promise.all([direct.arrayBuffer(), passed.arrayBuffer()]);
  }
  return errors;
}

async function uploadErrors(stack: Stack, { baseUrl }: RunningCaddy): Promise<string[]> {
  const target = { baseUrl, apiKey: stack.apiKey };
  const client = createApiClient(target);
  const project = await client.createProject({ name: 'Large' });
  const document = JSON.parse(documentOf([vulnerable]).toString()) as object;
  const value = randomBytes(largeBytes / 2).toString('hex');
  const file = Buffer.from(JSON.stringify({ ...document, properties: [{ name: 'long', value }] }));
  const { id } = await client.upload({ project_id: project.id, version: '1', file });
  const detail = await sendForJson<{ scan_status: string; vulnerabilities: unknown[] }>(target, {
    path: `/api/v1/sboms/${id}`,
    query: { wait: waitSeconds },
  });
  const bytes = Buffer.from(await client.download(id));
  return [
    ...(detail.scan_status === 'scanned' ? [] : [`it is ${detail.scan_status}`]),
    ...(detail.vulnerabilities.length > 0 ? [] : ['nothing is found']),
    ...(bytes.equals(file) ? [] : ['other bytes come back']),
  ];
}

/** The body never ends: only a response that comes before its end is one. */
async function rejectionErrors(_stack: Stack, { baseUrl }: RunningCaddy): Promise<string[]> {
  const body = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1024)) });
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const signal = AbortSignal.timeout(10_000);
  const init = { method: 'POST', body, headers, signal, duplex: 'half' } as RequestInit;
  const { status } = await fetch(`${baseUrl}/api/v1/sboms/upload`, init);
  return status === 401 ? [] : [`it is ${status}`];
}

async function grpcErrors(stack: Stack, proxy: RunningCaddy): Promise<string[]> {
  const client = createApiClient({ baseUrl: proxy.baseUrl, apiKey: stack.apiKey });
  const { id: project_id } = await client.createProject({ name: 'gRPC' });
  const grpc = connectGrpc(proxy.grpcPort, stack.apiKey);
  try {
    const sbom_json = documentOf([vulnerable]).toString();
    const uploaded = await grpc.upload({ project_id, version: '1', sbom_json });
    const checked = await grpc.check({ project_id, version: '1', sbom_json });
    return [uploaded, checked].flatMap((one) =>
      'ok' in one ? [] : [`${one.refused.status}: ${one.refused.details}`],
    );
  } finally {
    grpc.close();
  }
}

/** The supervisor of the product starts it again after SIGTERM. */
async function restartErrors(stack: Stack, { baseUrl }: RunningCaddy): Promise<string[]> {
  stack.kill('gateway', 'SIGTERM');
  await eventually(() => isClosed(stack.baseUrl), { within: 30_000, what: 'the gateway stops' });
  const { status } = await fetch(`${baseUrl}/version`);
  return status === 200 ? [] : [`it is ${status}`];
}

function isClosed(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD' }).then(
    () => false,
    () => true,
  );
}
