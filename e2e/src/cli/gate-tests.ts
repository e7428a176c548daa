/// <reference types="jest" />
import { freePort } from '@bomtrail/embedded';
import type { CliBench } from '../support/cli/cli-bench';
import { lastLine, type CliEnd } from '../support/cli/installed-cli';

const wrongKey = { BOMTRAIL_API_KEY: `bt_${'A'.repeat(12)}_${'B'.repeat(43)}` };

/** Tests of how uploads end, over either transport. */
export function gateTests(cli: () => CliBench): void {
  let bench: CliBench;

  beforeAll(() => {
    bench = cli();
  });

  describe.each(['rest', 'grpc'])('over %s', (transport) => {
    const env = { BOMTRAIL_TRANSPORT: transport };

    test('a clean version passes, findings fail from the threshold on, and with --only-new those of the baseline do not count', async () => {
      const slug = await bench.project();
      const upload = (rest: string): Promise<CliEnd> =>
        bench.run(`upload ${rest} --project ${slug} --service web`, env);
      const clean = await upload('clean.json --version 1 --fail-on low');
      expect(clean.stderr).toContain('1 of 1 component evaluated with advisory feeds');
      expect([clean.code, lastLine(clean)]).toEqual([0, expect.stringMatching(/^PASS /)]);

      const bad = await upload('bad.json --version 2 --fail-on critical');
      expect([bad.code, lastLine(bad)]).toEqual([
        1,
        expect.stringContaining(
          `FAIL ${slug}/web 2: 1 finding at or above critical (1 critical, 1 medium; 2 new)`,
        ),
      ]);
      expect(bad.out).toContain('CVE-2026-1');
      expect(bad.out).not.toContain('CVE-2026-2');

      const below = await upload('meh.json --version 3 --fail-on high');
      expect([below.code, lastLine(below)]).toEqual([
        0,
        expect.stringMatching(/^PASS .*at or above high/),
      ]);
      const at = await upload('meh.json --version 3 --fail-on medium');
      expect(at.code).toBe(1);
      const fresh = await upload('meh.json --version 3 --fail-on medium --only-new');
      expect([fresh.code, fresh.out]).toEqual([1, expect.stringContaining('Baseline: version 1')]);
      const named = await upload('meh.json --version 3 --fail-on medium --only-new --baseline 2');
      expect([named.code, lastLine(named)]).toEqual([
        0,
        expect.stringMatching(/^PASS .*no new finding/),
      ]);
      const { code, stderr } = await upload('meh.json --version 3 --fail-on low --baseline 9');
      expect([code, stderr]).toEqual([2, expect.stringContaining('baseline_not_found')]);
      expect(await bench.history(slug)).toBe(3);
    });

    test('what nothing can judge is undecided, whatever the threshold, and also without one', async () => {
      const slug = await bench.project();
      const upload = `upload nothing.json --project ${slug} --service web --version 1`;
      for (const policy of ['--fail-on critical', '--wait']) {
        const end = await bench.run(`${upload} ${policy}`, env);
        expect([end.code, lastLine(end)]).toEqual([4, expect.stringMatching(/^UNDECIDED /)]);
      }
      const only = await bench.run(upload, env);
      expect([only.code, lastLine(only)]).toEqual([
        0,
        expect.stringMatching(/^UPLOADED .*not evaluated/),
      ]);
    });

    test('a call that is wrong is 2: unknown project, wrong key, broken document', async () => {
      const slug = await bench.project();
      const to = (document: string, named: string): string =>
        `upload ${document} --project ${named} --service web --version 1`;
      const unknown = await bench.run(to('clean.json', 'no-such-project'), env);
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining('project_not_found'),
      ]);
      const refused = await bench.run(to('bad.json', slug), { ...env, ...wrongKey });
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('invalid_api_key'),
      ]);
      expect(refused.stderr).not.toContain(wrongKey.BOMTRAIL_API_KEY);
      const broken = await bench.run(to('broken.json', slug), env);
      expect([broken.code, lastLine(broken)]).toEqual([
        2,
        expect.stringMatching(/^ERROR Rejected.*malformed_json/),
      ]);
      expect(await bench.history(slug)).toBe(0);
    });

    test('a server that is down is 3, after the time that is given to it', async () => {
      const port = await freePort();
      const down = {
        BOMTRAIL_URL: `http://127.0.0.1:${port}`,
        BOMTRAIL_GRPC_URL: `grpc://127.0.0.1:${port}`,
      };
      const end = await bench.run(
        'upload clean.json --project x --service web --version 1 --retry-for 1s',
        {
          ...env,
          ...down,
        },
      );
      expect([end.code, lastLine(end)]).toEqual([
        3,
        expect.stringMatching(/^ERROR .*ECONNREFUSED/),
      ]);
      expect(end.stderr).toContain('attempt 2');
    });

    test('a project that is not there is made where that is asked for, once', async () => {
      const args = `upload clean.json --project made-over-${transport} --create-project --service web --version 1 --fail-on high`;
      const [one, other] = await Promise.all([bench.run(args, env), bench.run(args, env)]);
      expect([one.code, other.code]).toEqual([0, 0]);
      expect(await bench.history(`made-over-${transport}`)).toBe(1);
    });
  });
}
