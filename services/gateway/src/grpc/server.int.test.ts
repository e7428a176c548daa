import { join } from 'node:path';
import { credentials, loadPackageDefinition, type Client } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { eventually, makeCertificate } from '@bomtrail/testkit';
import { createLogger } from '@bomtrail/telemetry';
import { protoPath as healthProto } from 'grpc-health-check';
import { connectGrpc } from '../testing/grpc-client';
import { projectId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { credentialsOf } from './credentials';
import { openGrpcServer } from './server';
import type { SbomServiceDeps } from './sbom-service';

const upload = { project_id: projectId, sbom_json: '{}' };
let gateway: TestGateway;
let fakes: FakeServices;

afterEach(() => gateway?.stop());

async function start(own: Record<string, string | number> = {}): Promise<void> {
  gateway = await startGateway(own);
  fakes = fakeServices(gateway.bus);
}

/** A service of a proto file, spoken to with what the file alone says. */
function clientOf(file: string, service: string): Client & Record<string, CallableFunction> {
  const [step = {}] = [loadPackageDefinition(loadSync(file, { enums: String, keepCase: true }))];
  const found = service
    .split('.')
    .reduce<object>((at, name) => Reflect.get(at, name) as object, step);
  const Service = found as unknown as new (...of: unknown[]) => ReturnType<typeof clientOf>;
  return new Service(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
}

describe('Health', () => {
  test('needs no key, and says that uploads are served', async () => {
    await start();
    const client = clientOf(healthProto, 'grpc.health.v1.Health');
    const check = (service: string) =>
      new Promise((resolve) => {
        client['Check']?.({ service }, (error: { code: number } | null, response: object) =>
          resolve(error?.code ?? response),
        );
      });
    expect(await Promise.all(['', 'sbom.SBOMService', 'other'].map(check))).toEqual([
      { status: 'SERVING' },
      { status: 'SERVING' },
      5,
    ]);
    client.close();
  });
});

describe('Reflection', () => {
  const versions = ['v1', 'v1alpha'];
  const protoOf = (version: string) =>
    join(
      require.resolve('@grpc/reflection/package.json'),
      `../build/proto/grpc/reflection/${version}/reflection.proto`,
    );

  test.each(versions)('%s needs no key, and tells what is served', async (version) => {
    await start();
    const client = clientOf(protoOf(version), `grpc.reflection.${version}.ServerReflection`);
    const call = client['ServerReflectionInfo']?.() as {
      on(event: 'data', seen: (response: Record<string, never>) => void): void;
      write(definition: object): void;
      end(): void;
    };
    const responses: Record<string, never>[] = [];
    call.on('data', (response) => responses.push(response));
    call.write({ list_services: '*' });
    call.write({ file_containing_symbol: 'sbom.SBOMService' });
    call.write({ file_containing_symbol: 'grpc.health.v1.Health' });
    await eventually(() => responses.length === 3, { what: 'all are answered' });
    call.end();
    client.close();
    const [list, upload, health] = responses as unknown as [
      { list_services_response: { service: object[] } },
      ...{ file_descriptor_response: { file_descriptor_proto: Buffer[] } }[],
    ];
    expect(list.list_services_response.service).toEqual([
      { name: 'sbom.SBOMService' },
      { name: 'grpc.health.v1.Health' },
    ]);
    const [bytes] = upload?.file_descriptor_response.file_descriptor_proto ?? [];
    for (const name of ['UploadSBOM', 'project_slug', 'sbom_json', 'dependency_count']) {
      expect(bytes?.includes(name)).toBe(true);
    }
    // A map's entry by its right name (protobuf's "Maps"), without which Go clients refuse the file.
    const [healthBytes] = health?.file_descriptor_response.file_descriptor_proto ?? [];
    expect(healthBytes?.includes('StatusesEntry')).toBe(true);
  });
});

describe('TLS', () => {
  test('is spoken with the certificate of the settings, and nothing else then', async () => {
    const own = await makeCertificate('server');
    await start({ GRPC_TLS_CERT: own.crt, GRPC_TLS_KEY: own.key });
    const trusting = connectGrpc(gateway.grpcPort, credentials.createSsl(Buffer.from(own.crt)));
    const plain = connectGrpc(gateway.grpcPort);
    expect((await trusting.upload(upload)).status).toBe('OK');
    expect((await plain.upload(upload)).status).toBe('UNAVAILABLE');
    trusting.close();
    plain.close();
  });

  test('of both sides lets in only clients with a certificate of the given authority', async () => {
    const own = await makeCertificate('server');
    const authority = await makeCertificate('authority');
    const known = await makeCertificate('known', authority);
    const stranger = await makeCertificate('stranger');
    await start({
      GRPC_TLS_CERT: own.crt,
      GRPC_TLS_KEY: own.key,
      GRPC_TLS_CLIENT_CA: authority.crt,
    });
    const as = async (pair?: { crt: string; key: string }) => {
      const channel = pair
        ? credentials.createSsl(Buffer.from(own.crt), Buffer.from(pair.key), Buffer.from(pair.crt))
        : credentials.createSsl(Buffer.from(own.crt));
      const client = connectGrpc(gateway.grpcPort, channel);
      const { status } = await client.upload(upload);
      client.close();
      return status;
    };
    expect([await as(known), await as(stranger), await as()]).toEqual([
      'OK',
      'UNAVAILABLE',
      'UNAVAILABLE',
    ]);
  });
});

test('large uploads have a bound of their own, which leaves places to REST', async () => {
  await start({ UPLOAD_CONCURRENCY: 2, GRPC_UPLOAD_CONCURRENCY: 1 });
  let release: () => void = () => {};
  const untilReleased = new Promise<void>((resolve) => (release = resolve));
  fakes.beforeUploadResponse = () => untilReleased;
  const client = connectGrpc(gateway.grpcPort);
  const large = { ...upload, sbom_json: JSON.stringify('x'.repeat(1024 * 1024)) };
  const overGrpc = [client.upload(large), client.upload(large)];
  await eventually(() => fakes.uploads.length === 1, { what: 'one is read' });
  const form = new FormData();
  form.append('project_id', projectId);
  form.append('file', new Blob(['over REST']), 'bom.json');
  const rest = gateway.call('POST', '/api/v1/sboms/upload', { body: form });
  await eventually(() => fakes.uploads.length === 2, { what: 'two are read' });
  expect(fakes.uploads.map(String)).toEqual([large.sbom_json, 'over REST']);
  release();
  const responses = await Promise.all([...overGrpc, rest]);
  expect(responses.map(({ status }) => status)).toEqual(['OK', 'OK', 201]);
  client.close();
});

describe('A stop', () => {
  test('finishes the calls in flight, says so to who watches, and takes no new ones', async () => {
    await start();
    let release: () => void = () => {};
    const untilReleased = new Promise<void>((resolve) => (release = resolve));
    fakes.beforeUploadResponse = () => untilReleased;
    const health = clientOf(healthProto, 'grpc.health.v1.Health');
    const watched: unknown[] = [];
    const watch = health['Watch']?.({ service: '' }) as {
      on(event: string, seen: (response: { status: string }) => void): void;
    };
    watch.on('data', ({ status }) => watched.push(status));
    watch.on('error', () => watched.push('ended'));
    const client = connectGrpc(gateway.grpcPort);
    const running = client.upload(upload);
    await eventually(() => fakes.uploads.length === 1, { what: 'it is read' });
    const stopped = gateway.stopService();
    await eventually(() => watched.includes('NOT_SERVING'), { what: 'it is told' });
    const late = connectGrpc(gateway.grpcPort, undefined, { 'grpc.use_local_subchannel_pool': 1 });
    expect((await late.upload(upload)).status).toBe('UNAVAILABLE');
    // Longer than a stop takes that does not wait for the call.
    const patience = new Promise((resolve) => setTimeout(() => resolve('still waits'), 1_500));
    expect(await Promise.race([stopped, patience])).toBe('still waits');
    release();
    expect((await running).status).toBe('OK');
    await stopped;
    expect(watched).toEqual(['SERVING', 'NOT_SERVING', 'ended']);
    for (const open of [client, late, health]) open.close();
  });
});

test('a port that is taken stops the start and is named', async () => {
  await start();
  const at = {
    host: '127.0.0.1',
    port: gateway.grpcPort,
    credentials: credentialsOf({}),
    connections: { total: 1, perAddress: 1 },
    watches: 1,
  };
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  const opening = openGrpcServer(at, { log } as SbomServiceDeps);
  await expect(opening).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${at.port}`);
});
