/// <reference types="jest" />
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { documentOf } from '@bomtrail/reference-model';
import { eventually, startForwardProxy } from '@bomtrail/testkit';
import type { CliBench } from '../support/cli/cli-bench';
import { openReverseProxy, type Conduct, type ReverseProxy } from '../support/cli/reverse-proxy';
import { lastLine, type CliEnd } from '../support/cli/installed-cli';

/** Tests of the commands of the command line. */
export function commandTests(cli: () => CliBench): void {
  let bench: CliBench;
  let transports: ReverseProxy[] = [];

  beforeAll(() => {
    bench = cli();
  });

  afterEach(async () => {
    await Promise.all(transports.map((transport) => transport.stop()));
    transports = [];
  });

  async function behind(conduct: (before: number) => Conduct): Promise<ReverseProxy> {
    const transport = await openReverseProxy(bench.running.stack.baseUrl, conduct);
    transports.push(transport);
    return transport;
  }
  test('with --only-new an unfixed finding fails every commit, until it is fixed or accepted', async () => {
    const slug = await bench.project();
    const commit = async (version: string, document: string): Promise<[number | null, string]> => {
      const args = `upload ${document} --project ${slug} --service web --version ${version} --fail-on high --only-new`;
      const end = await bench.run(args);
      return [end.code, lastLine(end)];
    };
    expect(await commit('commit-a', 'clean.json')).toEqual([0, expect.stringMatching(/^PASS/)]);
    const failed = [1, expect.stringContaining('1 new finding at or above high')];
    expect(await commit('commit-b', 'bad.json')).toEqual(failed);
    expect(await commit('commit-b', 'bad.json')).toEqual(failed);
    expect(await commit('commit-c', 'bad.json')).toEqual(failed);
    expect((await commit('commit-d', 'meh.json'))[0]).toBe(0);
    expect(await commit('commit-e', 'bad.json')).toEqual(failed);
    const accepted = await bench.run(
      `accept CVE-2026-1 --reason why --project ${slug} --service web`,
    );
    expect(accepted.code).toBe(0);
    expect((await commit('commit-e', 'bad.json'))[0]).toBe(0);
  });

  test('a server that answers 503 is asked again when it wants to be, and the upload is made once', async () => {
    const slug = await bench.project();
    const transport = await behind((before) => (before < 2 ? 'unable' : 'pass'));
    const end = await bench.run(
      `upload bad.json --project ${slug} --service web --version 1 --fail-on high`,
      { BOMTRAIL_URL: transport.url },
    );
    expect(end.code).toBe(1);
    expect(end.stderr.match(/status 503; attempt/g)).toHaveLength(2);
    expect(await bench.history(slug)).toBe(1);
  });

  test('a scan that does not end in time is undecided; interrupted, the upload stays and is told', async () => {
    const slug = await bench.project();
    const upload = (version: string, wait: string): ReturnType<CliBench['start']> =>
      bench.start(
        `upload clean.json --project ${slug} --service web --version ${version} --wait=${wait} --fail-on high`,
      );
    const reconciler =
      bench.running.stack.processes().find(({ name }) => name === 'reconciler')?.pid ?? 0;
    process.kill(reconciler, 'SIGSTOP');
    let stored: string;
    try {
      const late = await upload('1', '1s').end;
      expect([late.code, lastLine(late)]).toEqual([
        4,
        expect.stringMatching(/^UNDECIDED .*scan is not finished/),
      ]);
      const waiting = upload('2', '60s');
      await waiting.says('Waiting for the scan');
      waiting.signal('SIGINT');
      const end = await waiting.end;
      expect(end.code).toBe(130);
      stored = /INTERRUPTED SBOM (\S+) is stored/.exec(end.stderr)?.[1] ?? '';
    } finally {
      process.kill(reconciler, 'SIGCONT');
    }
    const status = await bench.run(`status ${stored} --wait=30s --fail-on high`);
    expect([status.code, lastLine(status)]).toEqual([0, expect.stringMatching(/^PASS \S+\/web 2/)]);
  });

  test('interrupted while it is sent, an upload leaves nothing behind', async () => {
    const slug = await bench.project();
    const transport = await behind(() => 'hold');
    const sending = bench.start(
      `upload bad.json --project ${slug} --service web --version 1 --output json=left.json`,
      { BOMTRAIL_URL: transport.url },
    );
    await eventually(() => expect(transport.seen).toHaveLength(1), {
      what: 'it is being sent',
    });
    sending.signal('SIGINT');
    const end = await sending.end;
    expect([end.code, lastLine(end)]).toEqual([
      130,
      expect.stringMatching(/^INTERRUPTED .*completely or not at all/),
    ]);
    expect(await bench.history(slug)).toBe(0);
    expect(readdirSync(bench.work).filter((name) => name.startsWith('left.json'))).toEqual([]);
  });

  test('an upload reads standard input, packs what is large, and writes each report to its place', async () => {
    const slug = await bench.project();
    const packages = Array.from({ length: 500 }, (_, n) => `package-${n}@1.0.0`);
    const input = documentOf(['bad@1.0.0', ...packages]).toString();
    const args = `upload - --project ${slug} --service web --version 1 --fail-on high --output json --output sarif=out.sarif --output markdown=out.md`;
    const end = await bench.cli.run(args.split(' '), { input }).end;
    const stderr = JSON.parse(end.out) as {
      exit_code: number;
      sbom: { id: string };
      verdict: { failing_total: number };
    };
    expect([end.code, stderr.exit_code, stderr.verdict.failing_total]).toEqual([1, 1, 1]);
    expect(Buffer.from(await bench.running.client.download(stderr.sbom.id)).toString()).toBe(input);
    const log = JSON.parse(readFileSync(path.join(bench.work, 'out.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string }[] }[];
    };
    expect(log.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(['CVE-2026-1']);
    expect(readFileSync(path.join(bench.work, 'out.md'), 'utf8')).toContain('`CVE-2026-1`');
  });

  test('several documents have one verdict, each report has all of them, and what the file ignores is suppressed', async () => {
    const slug = await bench.project();
    bench.write(
      'ignore.yaml',
      Buffer.from(
        'ignore:\n  - { id: cve-2026-1, reason: known, expires: 2099-01-01 }\n  - { id: CVE-2026-2, reason: old, expires: 2020-01-01 }\n',
      ),
    );
    const config = bench.document('ignore.yaml');
    const formats = [
      'json',
      'junit=all.xml',
      'gitlab=gl.json',
      'cyclonedx=vdr.json',
      'csv=all.csv',
    ];
    const outputs = formats.map((format) => `--output ${format}`).join(' ');
    const upload = (documents: string, rest: string): Promise<CliEnd> =>
      bench.run(
        `upload ${documents} --project ${slug} --service {file} --version 1 --config ${config} ${rest}`,
      );
    const high = await upload('clean.json bad.json', `--fail-on high --record-ignored ${outputs}`);
    expect([high.code, lastLine(high)]).toEqual([0, 'PASS 2 documents: 2 passed']);
    expect(high.stderr).toContain('the entry for CVE-2026-2 expired');
    expect(high.stderr).toMatch(/PASS \S+\/bad 1: .*; 1 ignored by the project file/);
    expect(high.stderr).toContain('Stored 1 acceptance from the project file.');
    const written = (name: string): string => readFileSync(path.join(bench.work, name), 'utf8');
    expect(JSON.parse(high.out)).toMatchObject({ documents: [{ ignored: [] }, { ignored: [{}] }] });
    expect(written('all.xml')).toMatch(/<skipped>Ignored by the project file until .*: known</);
    expect(written('gl.json')).toContain('CVE-2026-2');
    expect(written('gl.json')).not.toContain('CVE-2026-1');
    expect(written('vdr.json')).toContain('"will_not_fix"');
    expect(written('all.csv').trim().split('\r\n')).toHaveLength(3);
    const all = await upload('clean.json bad.json broken.json', '--fail-on low');
    expect([all.code, lastLine(all)]).toEqual([
      1,
      'FAIL 3 documents: 1 with findings that fail the gate, 1 rejected, 1 passed',
    ]);
  });

  test('through a proxy with a password an upload works over both transports; without the password it is said why not', async () => {
    const slug = await bench.project();
    const proxy = await startForwardProxy();
    try {
      const args = `upload clean.json --project ${slug} --service web --version 1 --fail-on high --retry-for 1s`;
      const rest = await bench.run(args, { HTTP_PROXY: proxy.url });
      expect([rest.code, lastLine(rest)]).toEqual([0, expect.stringMatching(/^PASS/)]);
      const before = proxy.seen.length;
      const grpc = await bench.run(`${args} --transport grpc`, { http_proxy: proxy.url });
      expect([grpc.code, lastLine(grpc)]).toEqual([0, expect.stringMatching(/^PASS/)]);
      expect(proxy.seen.slice(before)).toContain(`127.0.0.1:${bench.running.stack.grpcPort}`);
      const refused = await bench.run(args, { HTTP_PROXY: proxy.urlOf('bomtrail:wrong@') });
      expect([refused.code, lastLine(refused)]).toEqual([
        3,
        expect.stringMatching(/407.*\(proxy 127\.0\.0\.1:\d+\)/),
      ]);
      expect(refused.stderr).not.toContain('wrong');
      const past = await bench.run(args, {
        HTTP_PROXY: proxy.urlOf('x:y@'),
        NO_PROXY: '127.0.0.1',
      });
      expect(past.code).toBe(0);
    } finally {
      await proxy.stop();
    }
  });

  test('what could not be written is no success: on a full disk a command ends with 2', async () => {
    const stdout = openSync('/dev/full', 'w');
    const { code, stderr } = await bench.cli.run(['status'], { stdout }).end;
    closeSync(stdout);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written: ENOSPC')]);
  });

  test('status, diff, vulns, accept, search and keys tell what the service says', async () => {
    const slug = await bench.project();
    const idOf = async (document: string, version: string): Promise<string> => {
      const end = await bench.run(
        `upload ${document} --project ${slug} --service web --version ${version} --wait --output json`,
      );
      return (JSON.parse(end.out) as { sbom: { id: string } }).sbom.id;
    };
    const [meh, bad] = [await idOf('meh.json', '1'), await idOf('bad.json', '2')];
    const end = async (args: string): Promise<[number | null, string]> => {
      const { code, out, stderr } = await bench.run(args);
      return [code, `${out}${stderr}`];
    };
    expect(await end('status')).toEqual([0, expect.stringMatching(/npm +│ feed/)]);
    expect(await end(`status ${bad} --fail-on high`)).toEqual([
      1,
      expect.stringContaining('CVE-2026-1'),
    ]);
    expect(await end(`diff ${meh} ${bad}`)).toEqual([
      0,
      expect.stringMatching(/added +│ bad[\s\S]*2 added, 0 removed/),
    ]);
    const filters = '--package BAD --purl pkg:npm/bad@1.0.0 --ecosystem npm --search cve-2026-1';
    const expectSaid = async (commands: [string, RegExp][]) => {
      for (const [args, said] of commands)
        expect(await end(`${args} --project ${slug}`)).toEqual([0, expect.stringMatching(said)]);
    };
    await expectSaid([
      ['vulns --service web --severity critical', /CVE-2026-1[\s\S]*1 open vulnerability/],
      [`vulns ${filters}`, /CVE-2026-1[\s\S]*1 open vulnerability/],
      ['vulns --fixable --direct', /: 0 open vulnerabilities/],
      ['vulns --detected-since 7d --severity critical', /CVE-2026-1[\s\S]*1 open vulnerability/],
      ['vulns --overdue', /: 0 open vulnerabilities/],
    ]);
    expect(
      await end(`accept CVE-2026-1 --project ${slug} --service web --reason known --expires 90d`),
    ).toEqual([0, expect.stringMatching(/^ACCEPTED CVE-2026-1/)]);
    const accepted = 'vulns --state open,accepted --decision';
    await expectSaid([
      [`${accepted} risk_accepted`, /CVE-2026-1[\s\S]*: 1 open,accepted/],
      [`${accepted} in_triage --ticket --assignee Ann`, /: 0 open,accepted/],
    ]);
    for (const list of ['services', 'acceptances'])
      expect((await end(`${list} list --project 0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4`))[0]).toBe(2);
    const exported = `EXPORTED decisions of ${slug}, SBOM ${bad} as csaf`;
    expect(await end(`vex export --project ${slug} --sbom ${bad} --format csaf`)).toEqual([
      0,
      expect.stringMatching(new RegExp(`known_affected[^]*${exported}`)),
    ]);
    expect(await end(`vex export --project ${slug} --service nobody`)).toEqual([
      2,
      expect.stringContaining('no service "nobody"'),
    ]);
    expect(await end(`status ${bad} --fail-on high`)).toEqual([
      0,
      expect.stringContaining(`PASS ${slug}/web 2`),
    ]);
    await expectSaid([
      ['accept CVE-2026-1 --service web --reason again', /already accepted/],
      ['search bad@1.0.0', /web[\s\S]*FOUND/],
      ['search CVE-2026-2', /FOUND/],
    ]);
    const listed = `projects list|services list --project ${slug}|acceptances list --project ${slug}`;
    for (const [index, found] of [slug, 'web', 'CVE-2026-1'].entries())
      for (const format of ['table', 'json', 'csv'])
        expect(await end(`${listed.split('|')[index]} --output ${format}`)).toEqual([
          0,
          expect.stringMatching(new RegExp(`${found}[\\s\\S]*LISTED`)),
        ]);
    const everywhere = await end('vulns --severity critical');
    expect(everywhere).toEqual([0, expect.stringMatching(/Project +│ Service/)]);
    expect(await end('vulns --severity hgih')).toEqual([
      2,
      expect.stringMatching(/^ERROR Rejected \(422\): severity: [^{]*\(given: "hgih"\)/),
    ]);
    const uploader = await bench.run(`keys create --scope upload`);
    const refused = await bench.run(
      'upload bad.json --project not-there-yet --create-project --service web --version 1',
      { BOMTRAIL_API_KEY: uploader.out.trim() },
    );
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/needs the scope write.*projects create not-there-yet/),
    ]);
    expect(await end(`projects create ${slug}`)).toEqual([0, expect.stringMatching(/^EXISTS/)]);
    expect(await end('search CVE-1999-1')).toEqual([
      4,
      expect.stringContaining('unknown who is affected'),
    ]);
    const made = await bench.run(`keys create --scope upload --expires 1d --project ${slug}`);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^bt_\w{12}_[\w-]{43}\n$/)]);
    const own = await bench.run(
      `upload bad.json --project ${slug} --service web --version 2 --fail-on high`,
      {
        BOMTRAIL_API_KEY: made.out.trim(),
      },
    );
    expect(own.code).toBe(0);
    const prefix = made.out.split('_')[1] ?? '';
    expect(await end('keys list')).toEqual([0, expect.stringContaining(prefix)]);
    expect(await end(`keys revoke ${prefix}`)).toEqual([0, expect.stringContaining('REVOKED')]);
    expect(await end(`keys revoke ${prefix}`)).toEqual([2, expect.stringContaining('No API key')]);
  });
}
