/// <reference types="jest" />
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectGrpc } from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from '../support/examples';
import { repositoryRoot } from '../support/real-data';
import { secretsInLogs } from '../support/secrets-in-logs';
import type { TestStack } from '../support/test-stack';

interface AuditEntry {
  protocol: string;
  operation: string;
  outcome: string;
  key_id: string | null;
  project_id: string | null;
  request_id: string;
}

/** Tests of keys and of the audit log. Some stop or kill processes: behind those that do not. */
export function keysTests(stack: () => TestStack): void {
  let running: TestStack;
  let project: { id: string; slug: string };

  beforeAll(async () => {
    running = stack();
    project = await running.client.createProject({ name: 'Web Shop' });
  });

  /** Runs `npm run keys` as it is after the build. */
  function keys(
    args: string[],
    dataDir = running.dataDir,
  ): Promise<{ code: number; out: string; stderr: string }> {
    const program = path.join(repositoryRoot, 'packages', 'embedded', 'dist', 'main.js');
    const env = { ...process.env, BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, 'keys', ...args], { env }, (error, out, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, out: out.trim(), stderr });
      });
    });
  }

  /** The status that a key gets where nothing but the key is looked at. */
  async function statusFor(key: string): Promise<number> {
    const { fetch, baseUrl } = running.target;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/api/v1/nothing`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  async function audit(query: string): Promise<AuditEntry[]> {
    const { fetch, baseUrl, apiKey } = running.target;
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}/api/v1/audit${query}`, { headers });
    if (response.status !== 200) throw new Error(`audit: ${response.status}`);
    return ((await response.json()) as { items: AuditEntry[] }).items;
  }

  describe('The command for keys, on the stack that runs here', () => {
    test('makes a key that works, lists it and revokes it, and the audit log tells of it', async () => {
      const made = await keys([
        'create',
        '--name',
        'CI',
        '--scope',
        'read',
        '--scope',
        'upload',
        '--project',
        project.slug,
        '--expires',
        '90d',
      ]);
      expect(made.code).toBe(0);
      expect(made.out).toMatch(/^bt_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
      expect(made.stderr).toContain(`scopes read, upload; project ${project.id}`);
      expect(await statusFor(made.out)).toBe(404);

      const prefix = made.out.slice(3, 15);
      const listed = (await keys(['list'])).out.split('\n');
      expect(listed.find((line) => line.includes(prefix))).toMatch(/ CI +read,upload +\S{36} /);

      const revoked = await keys(['revoke', prefix]);
      expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining(prefix)]);
      await eventually(async () => (await statusFor(made.out)) === 401, {
        what: 'the gateway refuses the key',
      });
      expect((await keys(['list'])).out).not.toContain(prefix);
      const again = await keys(['revoke', prefix]);
      expect([again.code, again.stderr]).toEqual([1, 'The API key does not exist.\n']);

      const entries = (await audit('')).filter(({ protocol }) => protocol === 'command');
      expect(entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
        ['deleteApiKey', 'refused'],
        ['deleteApiKey', 'succeeded'],
        ['createApiKey', 'succeeded'],
      ]);
      expect(entries[2]).toMatchObject({ key_id: null, project_id: project.id });
    });

    test('makes none for a project that does not exist', async () => {
      const { code, stderr, out } = await keys(['create', '--project', 'nothing']);
      expect([code, stderr, out]).toEqual([1, 'The project does not exist.\n', '']);
    });

    test('says so when no stack runs', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-'));
      const { code, stderr } = await keys(['list'], folder);
      expect(code).toBe(1);
      expect(stderr).toContain(`No bomtrail runs on ${folder}`);
      await rm(folder, { recursive: true });
    });

    test('is found in a file that only its owner can read, and that holds no key', async () => {
      const text = await readFile(path.join(running.dataDir, 'servers.json'), 'utf8');
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['mongoUri', 'natsUrl']);
    });
  });

  test('an API key leaves its secret in no log of any process, wherever it is sent', async () => {
    const { target, stack, dataDir } = running;
    const { apiKey, baseUrl } = target;
    const wrong = `${apiKey.slice(0, 16)}${'w'.repeat(43)}`;
    const made = await keys(['create', '--name', 'for the logs']);
    for (const key of [apiKey, made.out, wrong]) {
      for (const field of [
        '/api/v1/projects',
        `/api/v1/api-keys/${key}`,
        `/${key}`,
        `/?key=${key}`,
      ]) {
        for (const authorization of [`Bearer ${key}`, `Basic ${key}`, key]) {
          const init = { method: 'DELETE', headers: { authorization, 'x-request-id': 'of-logs' } };
          await (await fetch(`${baseUrl}${field}`, init)).arrayBuffer();
        }
      }
      const client = connectGrpc(stack.grpcPort, key);
      await client.upload({ project_slug: key, sbom_json: '{}' });
      client.close();
    }
    await keys(['revoke', made.out]);
    const logs = readdirSync(path.join(dataDir, 'logs'));
    expect(logs).toEqual(expect.arrayContaining(['gateway.log', 'ingest.log', 'mongod.log']));
    expect(secretsInLogs(dataDir)).toEqual([]);
  });

  test('an upload during which the gateway is killed has an entry without an outcome', async () => {
    const { client, stack, target } = running;
    const file = npmDocument('killed', ['lodash@4.17.15']);
    await client.upload({ project_id: project.id, service_name: 'killed', file });
    stack.kill('ingest', 'SIGSTOP');
    const form = new FormData();
    form.append('project_id', project.id);
    form.append('file', new Blob([new Uint8Array(file)]), 'bom.json');
    const upload = fetch(`${target.baseUrl}/api/v1/sboms/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${target.apiKey}`, 'x-request-id': 'killed-upload' },
      body: form,
    }).then(
      ({ status }) => status,
      () => 'no answer',
    );
    const find = async () => {
      const found = await audit('?operation=uploadSbom');
      return found.find(({ request_id }) => request_id === 'killed-upload');
    };
    await eventually(async () => (await find()) !== undefined, {
      what: 'the upload is entered before it is done',
    });
    stack.kill('gateway', 'SIGKILL');
    stack.kill('ingest', 'SIGCONT');
    expect(await upload).toBe('no answer');
    const entry = await eventually(find, { what: 'the gateway is back' });
    expect(entry).toMatchObject({ outcome: 'unknown', protocol: 'rest', operation: 'uploadSbom' });
  });

  test('without the database a key is believed for at most 5 seconds, and again when it is back', async () => {
    const { stack, target } = running;
    await eventually(async () => (await statusFor(target.apiKey)) === 404, {
      what: 'the gateway lets the key in',
    });
    stack.kill('mongod', 'SIGSTOP');
    const stoppedAt = Date.now();
    let lastLetIn = stoppedAt;
    try {
      await eventually(
        async () => {
          const requestedAt = Date.now();
          const status = await statusFor(target.apiKey);
          if (status === 404) lastLetIn = requestedAt;
          return status === 503;
        },
        { what: 'nobody is let in' },
      );
      // It is said soon, not when the line is given up at last.
      expect(Date.now() - stoppedAt).toBeLessThan(12_000);
      expect(lastLetIn - stoppedAt).toBeLessThan(5_100);
      expect(await statusFor(target.apiKey)).toBe(503);
    } finally {
      stack.kill('mongod', 'SIGCONT');
    }
    await eventually(async () => (await statusFor(target.apiKey)) === 404, {
      what: 'the key is believed again',
    });
  });
}
