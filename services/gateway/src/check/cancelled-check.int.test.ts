import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@bomtrail/testkit';
import { projectId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { connectGrpc, type TestGrpcClient } from '../testing/grpc-client';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

const document = '{"bomFormat":"CycloneDX"}';
let gateway: TestGateway;
let fakes: FakeServices;
let client: TestGrpcClient;

beforeAll(async () => {
  gateway = await startGateway({ CHECK_CONCURRENCY: 1 });
  fakes = fakeServices(gateway.bus);
  client = connectGrpc(gateway.grpcPort);
});
afterAll(async () => {
  client?.close();
  await gateway?.stop();
});
beforeEach(() => {
  fakes.requested.length = 0;
  fakes.beforeParse = async () => {};
});

/** A call that can be given up. */
interface OpenCall {
  giveUp(): void;
}

function overRest(): OpenCall {
  const boundary = 'xx-boundary';
  const part = (head: string, text: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const form = [
    part('name="project_id"', projectId),
    part('name="file"; filename="bom.json"', document),
    `--${boundary}--\r\n`,
  ].join('');
  const sent = httpRequest(`http://127.0.0.1:${gateway.port}/api/v1/sboms/check`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bootstrapKey}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  sent.on('error', () => {});
  sent.end(form);
  return { giveUp: () => sent.destroy() };
}

function overGrpc(): OpenCall {
  const cancelled = new AbortController();
  const options = { cancel: cancelled.signal };
  void client.check({ project_id: projectId, sbom_json: document }, options);
  return { giveUp: () => cancelled.abort() };
}

describe.each([
  ['REST', overRest],
  ['gRPC', overGrpc],
])('the check of a caller who has gone over %s', (_, open) => {
  test('holds no slot, stops in the service that works on it, and takes no further step', async () => {
    const stopped: string[] = [];
    let parsing = 0;
    fakes.beforeParse = async (gone) => {
      parsing += 1;
      if (parsing > 1) return;
      await Promise.race([once(gone, 'abort'), delay(5_000, undefined, { ref: false })]);
      stopped.push((gone.reason as Error | undefined)?.name ?? 'ran to its end');
      gone.throwIfAborted();
    };
    const call = open();
    await eventually(() => parsing === 1, { what: 'the document is being read' });
    const behind = client.check({ sbom_json: document });
    call.giveUp();
    expect((await behind).status).toBe('OK');
    expect(stopped).not.toContain('ran to its end');
    await eventually(() => stopped.length === 1, { what: 'ingest stops' });
    expect(stopped).toEqual(['RequestCancelled']);
    const judged = fakes.requested.filter(({ subject }) => subject.includes('judge-components'));
    expect(judged).toHaveLength(1);
    expect(fakes.requested.some(({ subject }) => subject.includes('find-check-scope'))).toBe(false);
  });
});
