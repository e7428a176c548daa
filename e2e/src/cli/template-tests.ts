/// <reference types="jest" />
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@bomtrail/embedded';
import type { CliBench } from '../support/cli/cli-bench';
import { lastLine, type CliEnd } from '../support/cli/installed-cli';
import { runStep, type ShellEnv } from '../support/cli/run-step';
import { storedCounts } from '../support/stored-counts';
import { actionStep, gitlabScript, jenkinsScript, template } from '../support/cli/template-steps';

const wrongKey = { BOMTRAIL_API_KEY: `bt_${'A'.repeat(12)}_${'B'.repeat(43)}` };

/** A step, its command, exit code, and what is on the server then: versions and open findings. */
type Step = [step: string, command: string, code: number, versions: string[], open: string[]];

const [medium, critical] = ['CVE-2026-2', 'CVE-2026-1'];

/** With the gate `--fail-on high --only-new`. */
const steps: Step[] = [
  ['main', 'upload meh.json --version 1', 0, ['1'], [medium]],
  ['pull request with a new critical one', 'check bad.json', 1, ['1'], [medium]],
  ['the same again', 'check bad.json', 1, ['1'], [medium]],
  ['pull request with a fix', 'check clean.json', 0, ['1'], [medium]],
  ['the fix is merged', 'upload clean.json --version 2', 0, ['1', '2'], []],
  ['the first pull request, rebased', 'check bad.json', 1, ['1', '2'], []],
  [
    'it is merged all the same',
    'upload bad.json --version 3',
    1,
    ['1', '2', '3'],
    [critical, medium],
  ],
  [
    'the next build of main: still failing',
    'upload bad.json --version 4',
    1,
    ['1', '2', '3', '4'],
    [critical, medium],
  ],
  ['the next fix is merged', 'upload clean.json --version 5', 0, ['1', '2', '3', '4', '5'], []],
];

/** Tests of the templates for CI. */
export function templateTests(cli: () => CliBench): void {
  let bench: CliBench;

  beforeAll(() => {
    bench = cli();
  });

  describe('the templates, as written', () => {
    const step = (shell: readonly [string, ...string[]], script: string, env: ShellEnv): CliEnd =>
      runStep(bench.work, { shell, script, env });
    const access = (): ShellEnv => ({
      BOMTRAIL_URL: bench.running.stack.baseUrl,
      BOMTRAIL_API_KEY: bench.running.stack.apiKey,
      BOMTRAIL_CLI: `file://${bench.cli.archive}`,
      BOMTRAIL_CLI_SHA256: bench.cli.archiveHash,
      BOMTRAIL_SERVICE: 'web',
    });
    const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] as const;

    test('GitHub: the gate writes summary and SARIF, the last step ends as the gate did', async () => {
      const slug = await bench.project();
      const [summary, output] = [path.join(bench.work, 'summary'), path.join(bench.work, 'output')];
      const inputs = {
        url: bench.running.stack.baseUrl,
        'api-key': bench.running.stack.apiKey,
        cli: `file://${bench.cli.archive}`,
        'cli-sha256': bench.cli.archiveHash,
        version: '1',
      };
      const added = path.join(bench.work, 'path');
      const install = actionStep('install', inputs);
      const wrong = actionStep('install', { ...inputs, 'cli-sha256': '0'.repeat(64) });
      expect(step(bash, wrong.script, { ...wrong.env, GITHUB_PATH: added }).code).not.toBe(0);
      expect(existsSync(added)).toBe(false);
      const { code } = step(bash, install.script, { ...install.env, GITHUB_PATH: added });
      expect(code).toBe(0);
      const gate = actionStep('gate', {
        ...inputs,
        file: bench.document('bad.json'),
        project: slug,
        service: 'web',
      });
      const installed = `${readFileSync(added, 'utf8').trim()}:${process.env['PATH']}`;
      const ran = step(bash, gate.script, {
        ...gate.env,
        PATH: installed,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
      });
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('FAIL')]);
      expect(readFileSync(output, 'utf8')).toBe('sarif=true\nexit-code=1\n');
      expect(readFileSync(summary, 'utf8')).toMatch(/^### ❌ Fail/);
      expect(readFileSync(path.join(bench.work, 'bomtrail.sarif'), 'utf8')).toContain('CVE-2026-1');
      const unset = actionStep('gate', { ...inputs, 'fail-on': '' });
      expect(unset.env['BOMTRAIL_FAIL_ON']).toBe('high');
      const before = await bench.history(slug);
      const files = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output };
      for (const event of ['pull_request', 'pull_request_target', 'merge_group']) {
        const notMerged = { ...gate.env, PATH: installed, GITHUB_EVENT_NAME: event };
        expect(step(bash, gate.script, { ...notMerged, ...files }).stderr).toContain('FAIL');
      }
      expect(await bench.history(slug)).toBe(before);
      const { script } = actionStep('verdict', {});
      expect([step(bash, script, { CODE: '1' }).code, step(bash, script, {}).code]).toEqual([1, 3]);
    });

    test('GitLab and Jenkins: the job fails on findings and leaves its reports', async () => {
      const gitlab = gitlabScript();
      for (const { script, env } of [
        { script: gitlab.script, env: { ...gitlab.env, CI_COMMIT_SHA: 'abc' } },
        {
          script: jenkinsScript(),
          env: { BOMTRAIL_FAIL_ON: 'high', BOMTRAIL_WAIT: '2m', GIT_COMMIT: 'abc' },
        },
      ]) {
        const made = {
          ...access(),
          ...env,
          BOMTRAIL_PROJECT: await bench.project(),
          SBOM: bench.document('bad.json'),
        };
        expect(step(['bash', '-ec'], script, made)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('FAIL'),
        });
        expect(readFileSync(path.join(bench.work, 'bomtrail.json'), 'utf8')).toContain(
          '"conclusion": "fail"',
        );
        expect(readFileSync(path.join(bench.work, 'bomtrail.xml'), 'utf8')).toContain(
          'failures="2"',
        );
        const clean = { ...made, SBOM: bench.document('clean.json') };
        expect(step(['bash', '-ec'], script, clean).code).toBe(0);
        const other = step(['bash', '-ec'], script, {
          ...clean,
          BOMTRAIL_CLI_SHA256: '0'.repeat(64),
        });
        expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('did NOT match')]);
        const pullRequest = { CI_PIPELINE_SOURCE: 'merge_request_event', CHANGE_ID: '17' };
        expect(step(['bash', '-ec'], script, { ...made, ...pullRequest }).code).toBe(1);
        expect(await bench.history(made.BOMTRAIL_PROJECT)).toBe(2);
      }
    });

    test('curl: every end has its code', async () => {
      const env = { ...access(), BOMTRAIL_PROJECT: await bench.project(), VERSION: '1' };
      const gate = (document: string, more: Record<string, string> = {}): number | null =>
        step(['sh', '-c'], template('curl/gate.sh'), {
          ...env,
          SBOM: bench.document(document),
          ...more,
        }).code;
      expect([
        gate('clean.json'),
        gate('bad.json'),
        gate('nothing.json'),
        gate('broken.json'),
      ]).toEqual([0, 1, 4, 2]);
      expect([gate('meh.json'), gate('meh.json', { FAIL_ON: 'medium' })]).toEqual([0, 1]);
      const withComma = bench.document('a, b;c.json');
      copyFileSync(bench.document('clean.json'), withComma);
      const calls: [Record<string, string>, number][] = [
        [wrongKey, 2],
        [{ BOMTRAIL_PROJECT: 'no-such-project' }, 2],
        [{ FAIL_ON: 'hgih' }, 2],
        [{ SBOM: '/no/such/file' }, 2],
        [{ SBOM: withComma }, 0],
        [{ BOMTRAIL_URL: `http://127.0.0.1:${await freePort()}` }, 3],
        [{ BOMTRAIL_URL: `${bench.running.stack.baseUrl}/elsewhere` }, 3],
        [{ BOMTRAIL_URL: `${bench.running.stack.baseUrl}/` }, 0],
        [{ VERSION: '' }, 2],
      ];
      for (const [wrong, code] of calls)
        expect([wrong, gate('clean.json', wrong)]).toEqual([wrong, code]);
      // In a process of its own, as steps block this one: a sign-in page, one that asks for an hour, and a proxy's 404
      // after an error of the API that is retried.
      const script = `let again = 0;
    require('node:http').createServer((request, response) => {
      if (request.url.startsWith('/again')) {
        if (again++ > 0) return response.writeHead(404, { connection: 'close' }).end('<html>');
        return response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end('{"code":"service_unavailable"}');
      }
      const isPage = request.url.startsWith('/page');
      response.writeHead(isPage ? 200 : 429, { 'retry-after': '3600', connection: 'close' }).end('<html>');
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
      const other = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [port] = (await once(other.stdout, 'data')) as [Buffer];
        for (const name of ['page', 'wait', 'again']) {
          const BOMTRAIL_URL = `http://127.0.0.1:${port.toString().trim()}/${name}`;
          expect([name, gate('clean.json', { BOMTRAIL_URL })]).toEqual([name, 3]);
        }
      } finally {
        other.kill();
      }
      const unset = step(['bash', '-c'], template('curl/gate.sh'), {});
      expect([unset.code, unset.stderr]).toEqual([2, 'BOMTRAIL_URL is not set.\n']);
    });
  });

  test('main uploads, pull requests are checked: they get the verdict of main, and the server holds nothing of them', async () => {
    const slug = await bench.project();
    const of = `--project ${slug} --service web --fail-on medium --only-new`;
    const end = async (args: string): Promise<[number | null, string]> => {
      const { code, stderr } = await bench.run(`${args} ${of}`);
      return [code, stderr.trim().split('\n').at(-1) ?? ''];
    };
    expect(await end('upload meh.json --version main-1 --baseline none')).toEqual([
      1,
      expect.stringContaining('FAIL'),
    ]);
    const first = await bench.run(
      `upload meh.json --version main-1 --fail-on high --project ${slug} --service web`,
    );
    expect(first.code).toBe(0);
    const accepted = await bench.run(
      `accept CVE-2026-2 --reason known --project ${slug} --service web`,
    );
    expect(accepted.code).toBe(0);
    expect((await end('upload meh.json --version main-1'))[0]).toBe(0);
    const before = await storedCounts(bench.running.dataDir);

    const failed = [1, expect.stringMatching(/^FAIL .*1 new finding/)];
    expect(await end('check bad.json --version pr-1')).toEqual(failed);
    expect(await end('check bad.json --version pr-1')).toEqual(failed);
    expect(await end('check clean.json --version pr-2')).toEqual([
      0,
      expect.stringMatching(/^PASS /),
    ]);
    expect((await end('check bad.json --baseline main-1'))[0]).toBe(1);
    expect((await end('check nothing.json'))[0]).toBe(4);
    expect(await end('check bad.json --baseline none-such')).toEqual([
      2,
      expect.stringContaining('baseline_not_found'),
    ]);
    const alone = await bench.run('check bad.json --fail-on critical --output json');
    expect([alone.code, JSON.parse(alone.out)]).toEqual([
      1,
      expect.objectContaining({ conclusion: 'fail', sbom: null }),
    ]);
    const several = await bench.run('check bad.json clean.json --fail-on critical');
    expect([several.code, several.stderr]).toEqual([
      1,
      expect.stringContaining('1 with findings that fail the gate, 1 passed'),
    ]);
    expect(await storedCounts(bench.running.dataDir)).toEqual(before);
    expect(await bench.history(slug)).toBe(1);
  });

  test('a fault that is merged fails every build of main until it is fixed, and a check leaves nothing', async () => {
    const slug = await bench.project();
    const { client } = bench.running;
    const project_id = (await client.projectsBySlug(slug)).items[0]?.id ?? '';
    for (const [step, command, ...held] of steps) {
      const before = await storedCounts(bench.running.dataDir);
      const of = `--project ${slug} --service web --fail-on high --only-new`;
      const { code } = await bench.run(`${command} ${of}`);
      if (command.startsWith('check'))
        expect([step, await storedCounts(bench.running.dataDir)]).toEqual([step, before]);
      const versions = (await client.history(project_id)).items.map(({ version }) => version);
      const open = (await client.allActive({ project_id })).map(({ cve_id }) => cve_id);
      expect([step, code, versions.sort(), open.sort()]).toEqual([step, ...held]);
    }
  }, 120_000);

  test('a document of low quality fails a check and an upload that ask for a better one', async () => {
    const slug = await bench.project();
    const components = [
      { type: 'library', name: 'a', version: '1', purl: 'pkg:npm/left-pad@1.3.0' },
    ];
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
    writeFileSync(bench.document('poor.json'), JSON.stringify(document));
    const end = async (command: string): Promise<[number | null, string, string]> => {
      const ended = await bench.run(`${command} --project ${slug} --service poor`);
      return [ended.code, lastLine(ended), `${ended.out}${ended.stderr}`];
    };
    const reasons = expect.stringMatching(
      /Quality: \d+ of 100 [^]*1 of 1 component states no supplier/,
    ) as unknown;
    const failed = expect.stringMatching(/^FAIL .*quality \d+ of 100, below 90/) as unknown;
    expect(await end('check poor.json --min-quality 90')).toEqual([1, failed, reasons]);
    const uploaded = await end('upload poor.json --version 1 --min-quality 90');
    expect(uploaded).toEqual([1, failed, reasons]);
    expect(uploaded[2]).toMatch(/Stored as SBOM .* cyclonedx, quality \d+ of 100/);
    expect((await end('upload poor.json --version 1'))[0]).toBe(0);
    expect((await end('check poor.json --min-quality 101'))[0]).toBe(2);
  });

  test('what another tool found is compared, each difference with its reason', async () => {
    const slug = await bench.project();
    const component = (name: string, version: string) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
    });
    const components = [component('bad', '1.0.0'), component('left-pad', '1.3.0')];
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
    writeFileSync(bench.document('compared.json'), JSON.stringify(document));
    const of = `--project ${slug} --service compared`;
    await bench.run(`upload compared.json --version 1 --wait 60s ${of}`);
    const listed = await bench.run(`vulns --output json ${of}`);
    const { items } = JSON.parse(listed.out) as { items: { cve_id: string; aliases: string[] }[] };
    expect(items.length).toBeGreaterThan(0);
    const match = (id: string, name: string, version: string) => ({
      vulnerability: { id },
      relatedVulnerabilities: [],
      artifact: component(name, version),
    });
    const same = items.map((one) => match(one.aliases.at(-1) ?? one.cve_id, 'bad', '1.0.0'));
    const compared = async (matches: object[]) => {
      writeFileSync(bench.document('grype.json'), JSON.stringify({ matches }));
      const ended = await bench.run(`compare grype.json --output json ${of}`);
      const { only_there, only_here } = JSON.parse(ended.out) as Record<
        string,
        { reason: string }[]
      >;
      const reasons = [only_there, only_here].map((list) => list?.map(({ reason }) => reason));
      return [ended.code, ...reasons, lastLine(ended)];
    };
    expect(await compared(same)).toEqual([0, [], [], expect.stringMatching(/^SAME /)]);
    const more = [match('CVE-2000-1', 'gone', '1'), match('CVE-2000-2', 'left-pad', '1.2.0')];
    expect(await compared([...same.slice(1), ...more])).toEqual([
      1,
      ['package_unknown', 'version_differs'],
      [expect.stringMatching(/reported$/)],
      expect.stringMatching(/^DIFFERENT .* of grype /),
    ]);
    expect(await compared([...same, match('', 'bad', '1.0.0')])).toEqual([
      4,
      [],
      [],
      expect.stringMatching(/^UNDECIDED .*1 there without an id or a package/),
    ]);
    writeFileSync(bench.document('blank.json'), '{"a":1}');
    expect((await bench.run(`compare blank.json ${of}`)).code).toBe(2);
  });

  test('a licence that the policy of the project denies fails a check and an upload that ask for it', async () => {
    const slug = await bench.project();
    const { client } = bench.running;
    const id = (await client.projectsBySlug(slug)).items[0]?.id;
    const licensed = (name: string, expression?: string) => ({
      type: 'library',
      name,
      version: '1.0.0',
      purl: `pkg:npm/${name}@1.0.0`,
      ...(expression && { licenses: [{ expression }] }),
    });
    const components = [
      licensed('good', 'MIT OR AGPL-3.0-only'),
      licensed('tool', 'AGPL-3.0-only'),
    ];
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
    writeFileSync(bench.document('agpl.json'), JSON.stringify(document));
    const setPolicy = async (license_policy: object, status = 200): Promise<void> => {
      const response = await fetch(`${bench.running.stack.baseUrl}/api/v1/projects/${id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${bench.running.stack.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ license_policy }),
      });
      expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
    };
    const end = async (command: string): Promise<[number | null, string]> => {
      const ended = await bench.run(`${command} --project ${slug} --service web`);
      return [ended.code, lastLine(ended)];
    };
    const gate = 'check agpl.json --fail-on-license';
    expect(await end(gate)).toEqual([4, expect.stringContaining('no licence policy')]);
    const groups = { network_copyleft: 'deny' };
    await setPolicy({ groups: { ...groups, unknown: 'deny' } }, 422);
    await setPolicy({ groups });
    expect((await end('check agpl.json --fail-on critical'))[0]).toBe(0);
    const denied = expect.stringMatching(/^FAIL .*1 denied licence/) as unknown;
    expect(await end(gate)).toEqual([1, denied]);
    expect(await end('upload agpl.json --version 1 --fail-on-license')).toEqual([1, denied]);
    await setPolicy({ groups, exceptions: [{ purl: 'pkg:npm/tool', reason: 'CI only' }] });
    expect(await end(gate)).toEqual([0, expect.stringMatching(/^PASS .*no denied licences/)]);
    await setPolicy({ groups, licenses: [{ license: 'AGPL-3.0', action: 'allow' }] });
    expect((await end(gate))[0]).toBe(0);
  });
}
