/// <reference types="jest" />
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { ApiError, waitForScan } from '@bomtrail/api-client';
import { connectGrpc, type GrpcResponse, type GrpcClient } from '@bomtrail/reference-model';
import { npmDocument } from '../support/examples';
import { parityDocuments } from '../support/parity-documents';
import { storedCounts } from '../support/stored-counts';
import type { TestStack } from '../support/test-stack';

const scanMs = 30_000;

function okOf<Result>(answer: GrpcResponse<Result>): Result {
  if ('refused' in answer) throw new Error(`Refused: ${JSON.stringify(answer.refused)}`);
  return answer.ok;
}

/** What a refusal's status over REST is over gRPC. */
const grpcStatus = new Map([
  [400, 'INVALID_ARGUMENT'],
  [413, 'RESOURCE_EXHAUSTED'],
]);

const good = parityDocuments.filter(({ refused }) => refused === null);
const bad = parityDocuments.filter(({ refused }) => refused !== null);

/** Tests of gRPC beside REST. */
export function grpcTests(stack: () => TestStack): void {
  let running: TestStack;
  let grpc: GrpcClient;
  let restProject: string;
  let grpcProject: string;

  beforeAll(async () => {
    running = stack();
    grpc = connectGrpc(running.stack.grpcPort, running.stack.apiKey);
    restProject = (await running.client.createProject({ name: 'Over REST' })).id;
    grpcProject = (await running.client.createProject({ name: 'Over gRPC' })).id;
  });
  afterAll(() => grpc?.close());

  const upload = (project_id: string, sbom_json: string, own: Record<string, string> = {}) =>
    grpc.upload({ project_id, version: '1', sbom_json, ...own });

  async function overRest(text: string) {
    const { client } = running;
    try {
      return {
        ok: await client.upload({ project_id: restProject, version: '1', file: Buffer.from(text) }),
      };
    } catch (error) {
      if (error instanceof ApiError) return { refused: error };
      throw error;
    }
  }

  /** What an SBOM is, without what it is called. */
  async function contentOf(id: string) {
    const {
      id: _id,
      project_id,
      created_at,
      service_id,
      scan_status,
      ...content
    } = await waitForScan(running.client, id, scanMs);
    const rows = content.vulnerabilities.map(({ id: _row, detected_at: _at, ...row }) => row);
    return { ...content, scanned_at: null, vulnerabilities: rows };
  }

  test.each(good)(
    'both transports take a document with $what, to the same end',
    async ({ text }) => {
      const overGrpc = okOf(await upload(grpcProject, text));
      const { ok: rest } = await overRest(text);
      const { format, dependency_count, sha256 } = overGrpc;
      expect(rest).toMatchObject({ format, dependency_count, sha256 });
      expect(sha256).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
      expect(okOf(await upload(restProject, text)).id).toBe(rest?.id);
      expect(await contentOf(overGrpc.id)).toEqual(await contentOf(rest?.id ?? ''));
      expect(Buffer.from(await running.client.download(overGrpc.id)).toString()).toBe(text);
    },
  );

  test.each(bad)(
    'both transports refuse a document with $what, for the same reason',
    async (of) => {
      const answer = await upload(grpcProject, of.text);
      const { refused: rest } = await overRest(of.text);
      expect(rest?.code).toBe(of.refused);
      expect(answer).toEqual({
        refused: {
          status: grpcStatus.get(rest?.status ?? 0),
          details: rest?.detail.replace(/^The file is larger/, 'sbom_json is larger'),
          code: of.refused,
        },
      });
    },
  );

  test('an empty document is refused by both, over gRPC as a field that was not given', async () => {
    const { refused } = await overRest('');
    expect(refused).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(await upload(grpcProject, '')).toEqual({
      refused: {
        status: 'INVALID_ARGUMENT',
        details: 'sbom_json: Field required',
        code: undefined,
      },
    });
  });

  test('what is uploaded over gRPC is scanned, listed under its service, and fixed by the next version', async () => {
    const { client } = running;
    const { slug, id } = await client.createProject({ name: 'Shop over gRPC' });
    const target = { project_slug: slug, service_name: 'shop' };
    const of = (packages: string[]) => npmDocument('shop', packages).toString();
    const first = okOf(
      await grpc.upload({ ...target, version: '1', sbom_json: of(['lodash@4.17.15']) }),
    );
    const detail = await waitForScan(client, first.id, scanMs);
    expect(detail).toMatchObject({ project_id: id, version: '1', service_name: 'shop' });
    expect((await client.allActive({ project_id: id })).length).toBeGreaterThan(0);
    const second = okOf(await grpc.upload({ ...target, version: '2', sbom_json: of([]) }));
    await waitForScan(client, second.id, scanMs);
    expect(await client.allActive({ project_id: id })).toEqual([]);
  });

  describe('a check', () => {
    const target = { project_slug: '', service_name: 'shop' };
    beforeAll(async () => {
      const { client } = running;
      const { slug, id } = await client.createProject({ name: 'Checked over gRPC' });
      target.project_slug = slug;
      const file = npmDocument('shop', ['lodash@4.17.15']);
      await waitForScan(
        client,
        (await client.upload({ project_id: id, service_name: 'shop', version: '1', file })).id,
        scanMs,
      );
    });

    test('gives over both transports the same verdict and vulnerabilities, and stores nothing', async () => {
      const { client, dataDir } = running;
      const file = npmDocument('shop', ['lodash@4.17.15', 'minimist@1.2.0']);
      const before = await storedCounts(dataDir);
      const gate = { fail_on: 'low', baseline: '1' } as const;
      const rest = await client.check({ ...target, file }, { ...gate, only_new: 'true' });
      const checked = okOf(
        await grpc.check({ ...target, ...gate, only_new: true, sbom_json: file.toString() }),
      );
      const { verdict, failing_total, total, counts } = rest;
      expect(checked).toMatchObject({ verdict, failing_total, total, counts });
      expect([verdict, failing_total > 0, total > failing_total]).toEqual(['fail', true, true]);
      const names = (found: { package_name: string }[]) => found.map((one) => one.package_name);
      expect(names(checked.failing)).toEqual(names(rest.failing));
      expect(new Set(names(checked.failing))).toEqual(new Set(['minimist']));
      const all = gunzipSync(checked.vulnerabilities_json_gzip).toString();
      expect(JSON.parse(all)).toEqual(rest.vulnerabilities);
      expect(await storedCounts(dataDir)).toEqual(before);
    });

    test.each(bad)(
      'refuses a document with $what for the same reason',
      async ({ text, refused }) => {
        const answer = await grpc.check({ sbom_json: text });
        expect(answer).toMatchObject({ refused: { code: refused } });
      },
    );
  });

  test('a wrong key and an unknown project are refused', async () => {
    const stranger = connectGrpc(running.stack.grpcPort, `bt_stranger0000_${'s'.repeat(43)}`);
    const refused = await stranger.upload({ project_id: grpcProject, sbom_json: '{}' });
    stranger.close();
    expect(refused).toMatchObject({
      refused: { status: 'UNAUTHENTICATED', code: 'invalid_api_key' },
    });
    const nowhere = await upload('0197c1d0-ffff-7fff-8fff-ffffffffffff', '{}');
    expect(nowhere).toMatchObject({ refused: { status: 'NOT_FOUND', code: 'project_not_found' } });
  });
}
