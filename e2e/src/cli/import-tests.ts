/// <reference types="jest" />
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { send, type Import } from '@bomtrail/api-client';
import type { components } from '@bomtrail/api-contract';
import type { CliBench } from '../support/cli/cli-bench';
import { startUploadCutter } from '../support/cli/cut-uploads';
import { startExampleDependencyTrack } from '../support/cli/dependency-track';
import { lastLine, type CliEnd } from '../support/cli/installed-cli';

type Schemas = components['schemas'];

/** Tests of imports by the command line. */
export function importTests(cli: () => CliBench): void {
  let bench: CliBench;

  beforeAll(() => {
    bench = cli();
  });

  /** The newest report of the server, and how many there are. */
  async function reports(): Promise<[number, Import]> {
    const { items, total } = await bench.running.client.listImports();
    const [newest] = items;
    if (!newest) throw new Error('No import was reported.');
    return [total, newest];
  }

  const newKey = async (body: Schemas['ApiKeyCreate']): Promise<string> =>
    (await bench.running.client.createKey(body)).key;

  describe('an import from Dependency-Track', () => {
    test('killed during uploads, stored ones or not, it brings each version once when it is repeated', async () => {
      const dtrack = await startExampleDependencyTrack('Killed suite');
      const cutter = await startUploadCutter(bench.running.stack.baseUrl);
      const env = { DEPENDENCY_TRACK_API_KEY: dtrack.apiKey, BOMTRAIL_URL: cutter.url };
      const command = `import dependency-track --folder killed --from ${dtrack.url}`;
      try {
        for (const [others, cut] of [
          [0, 'after'],
          [1, 'before'],
          [0, 'after'],
        ] as const) {
          const cutting = cutter.cutAfter(others, cut);
          const run = bench.start(command, env);
          await cutting;
          run.signal('SIGKILL');
          await run.end;
          expect((await reports())[1].status).toBe('running');
        }
        const [, killed] = await reports();
        const uploads = cutter.forwarded();
        const end = await bench.run(command, env);
        expect([end.code, lastLine(end)]).toEqual([
          0,
          expect.stringMatching(/^IMPORTED 1 project, 2 services, 3 of 3 versions/),
        ]);
        // Each version whose response was lost is sent twice, and stored once.
        expect([uploads, cutter.forwarded()]).toEqual([3, 5]);
        const [, ended] = await reports();
        expect(ended).toMatchObject({
          id: killed.id,
          status: 'finished',
          totals: { projects: 1, services: 2, versions: 3, uploaded: 3 },
        });
      } finally {
        await cutter.stop();
        await dtrack.stop();
      }
      const { client } = bench.running;
      const [project] = (await client.projectsBySlug('killed-suite')).items;
      const { items, total } = await client.history(project?.id ?? '');
      const versions = items.map(({ service_name, version }) => `${service_name} ${version}`);
      expect([total, versions.sort()]).toEqual([3, ['api 1', 'web 1', 'web 2']]);
    });

    test('continues where it was interrupted, and brings projects, versions, findings and decisions', async () => {
      const dtrack = await startExampleDependencyTrack();
      const env = { DEPENDENCY_TRACK_API_KEY: dtrack.apiKey, BOMTRAIL_RETRY_FOR: '1s' };
      const command = 'import dependency-track --folder dtrack';
      const run = (rest = ''): Promise<CliEnd> => bench.run(`${command} ${rest}`.trim(), env);
      try {
        const dry = await run(`--from ${dtrack.url} --dry-run`);
        expect([dry.code, lastLine(dry)]).toEqual([
          0,
          expect.stringMatching(/^DRY RUN 1 project, 2 services, 3 versions .*; 1 without an SBOM/),
        ]);
        dtrack.failAfter(8);
        expect((await run(`--from ${dtrack.url}`)).code).toBe(3);
        const part = await run();
        expect([part.code, lastLine(part)]).toEqual([
          2,
          expect.stringMatching(/^ERROR The folder lacks . of 3 versions.*--from/),
        ]);
        dtrack.failAfter(null);
        const end = await run(`--from ${dtrack.url}`);
        expect([end.code, lastLine(end)]).toEqual([
          0,
          expect.stringMatching(
            /^IMPORTED 1 project, 2 services, 3 of 3 versions, 3 findings \(there 4\), 2 decisions from 4 analyses/,
          ),
        ]);
        // A second import, also without the server, changes nothing.
        expect(lastLine(await run())).toBe(lastLine(end));
        expect(lastLine(await run('--dry-run'))).toMatch(/^DRY RUN .*dry-run\.json$/);
      } finally {
        await dtrack.stop();
      }
      expect(await bench.history('shop-suite')).toBe(3);
      const { client } = bench.running;
      const [project] = (await client.projectsBySlug('shop-suite')).items;
      const { items } = await client.vulnerabilities({ project_id: project?.id ?? '' });
      const of = items.map((one) => [one.service_name, one.cve_id, one.status].join(' ')).sort();
      expect(of).toEqual([
        'api CVE-2026-2 open',
        'web CVE-2026-1 not_affected',
        'web CVE-2026-2 accepted',
      ]);
      const [newest] = (await client.history(project?.id ?? '')).items.filter(
        ({ service_name }) => service_name === 'web',
      );
      expect(newest?.version).toBe('2');
      const report = JSON.parse(
        readFileSync(path.join(bench.work, 'dtrack', 'report.json'), 'utf8'),
      ) as { services: { unmatched: { reason: string }[] }[]; policies: unknown[] };
      expect(report.services.flatMap((one) => one.unmatched.map(({ reason }) => reason))).toEqual([
        'not_found',
        'stays_open',
      ]);
      expect(report.policies).toEqual([
        { policy: 'Severe', setting: 'fail_on: critical', note: '' },
      ]);
      const [, kept] = await reports();
      expect(kept).toMatchObject({
        source: 'dependency-track',
        status: 'finished',
        error: null,
        totals: { projects: 1, services: 2, versions: 3, uploaded: 3, refused: 0 },
        skipped_total: 1,
        skipped: [{ name: 'Shop suite', reason: 'collection' }],
        policies: report.policies,
      });
      expect(kept.totals).toMatchObject({ findings_there: 4, findings_here: 3 });
      expect(kept.totals).toMatchObject({ analyses: 4, decided: 2, unmatched: 2 });
      const services = (await client.importedServices(kept.id)).items;
      expect(
        services.map(({ service, project_slug, unmatched }) => [
          service,
          project_slug,
          unmatched.map(({ vulnerability, reason }) => `${vulnerability} ${reason}`),
        ]),
      ).toEqual([
        ['api', 'shop-suite', ['CVE-2026-2 stays_open']],
        ['web', 'shop-suite', ['CVE-2020-1 not_found']],
      ]);

      const [revoked] = (await client.listAcceptances(project?.id ?? '')).items;
      const bulk = `/api/v1/vulnerabilities/acceptances/bulk/${revoked?.bulk_id}`;
      await send(bench.running.target, { method: 'DELETE', path: bulk });
      expect(lastLine(await run())).toContain('1 decision from 4 analyses');
    });

    test('that fails says so and why, until it is repeated; a key that is bound to a project keeps no report', async () => {
      const dtrack = await startExampleDependencyTrack('Failed suite');
      const command = `import dependency-track --folder failed --from ${dtrack.url}`;
      const run = (env: Record<string, string>): Promise<CliEnd> =>
        bench.run(command, { DEPENDENCY_TRACK_API_KEY: dtrack.apiKey, ...env });
      try {
        const before = (await reports())[0];
        const writer = await newKey({ scopes: ['read', 'write'] });
        expect((await run({ BOMTRAIL_API_KEY: writer })).code).toBe(2);
        const [total, failed] = await reports();
        expect(failed).toMatchObject({
          status: 'failed',
          error: expect.stringContaining('scope upload'),
          totals: { services: 0 },
          created_by: { key_prefix: writer.slice(3, 15) },
        });
        expect((await run({})).code).toBe(0);
        const [after, repeated] = await reports();
        expect([total, after]).toEqual([before + 1, before + 1]);
        expect(repeated).toMatchObject({ id: failed.id, status: 'finished', error: null });
        expect(repeated.totals).toMatchObject({ services: 2, uploaded: 3 });

        const [project] = (await bench.running.client.projectsBySlug('failed-suite')).items;
        const bound = await newKey({ project_id: project?.id });
        const end = await run({ BOMTRAIL_API_KEY: bound });
        expect([end.code, end.stderr]).toEqual([
          0,
          expect.stringContaining('The server keeps no report of this import: This call is not'),
        ]);
      } finally {
        await dtrack.stop();
      }
    });
  });
}
