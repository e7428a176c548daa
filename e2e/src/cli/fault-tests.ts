/// <reference types="jest" />
import { closeSync, openSync, readdirSync } from 'node:fs';
import type { CliBench } from '../support/cli/cli-bench';
import { lastLine } from '../support/cli/installed-cli';
import { openReverseProxy } from '../support/cli/reverse-proxy';

/** Tests of commands on a disk, a terminal or a line that fails. */
export function faultTests(cli: () => CliBench): void {
  let bench: CliBench;

  beforeAll(() => {
    bench = cli();
  });

  test.each([
    [200, '<html>Sign in</html>', 'check the URL'],
    [403, '{"message":"Forbidden"}', 'check the URL'],
    [413, '<h1>Request Entity Too Large</h1>', 'refuses a document of this size'],
    [502, '{"message":"no upstream"}', 'bomtrail is down'],
  ])('an answer %i of a proxy before the server is no verdict: %s', async (status, body, text) => {
    const proxy = await openReverseProxy(bench.running.stack.baseUrl, () => ({ status, body }));
    try {
      const env = { BOMTRAIL_URL: proxy.url, BOMTRAIL_RETRY_FOR: '0s' };
      for (const command of ['check clean.json --fail-on high', 'status']) {
        const end = await bench.run(command, env);
        const line = expect.stringMatching(
          new RegExp(`^ERROR .*\\(${status}\\) is not from bomtrail`),
        );
        expect([command, end.code, lastLine(end)]).toEqual([command, 3, line]);
        expect(lastLine(end)).toContain(text);
      }
    } finally {
      await proxy.stop();
    }
  });

  test('messages that cannot be written change no verdict', async () => {
    const stderr = openSync('/dev/full', 'w');
    try {
      for (const [document, code] of [
        ['clean.json', 0],
        ['bad.json', 1],
      ] as const) {
        const args = ['check', bench.document(document), '--fail-on', 'high'];
        expect((await bench.cli.run(args, { stderr }).end).code).toBe(code);
      }
    } finally {
      closeSync(stderr);
    }
  });

  test.each([
    ['evidence', 'KEV'],
    ['vulns --kev', 'KEV'],
    ['vulns --min-epss 0.1', 'EPSS'],
    ['vulns --kev --min-epss 0.1', 'EPSS and KEV'],
  ])('an empty list of %s means nothing while %s has no values', async (command, feeds) => {
    const end = await bench.run(`${command} --project ${await bench.project()}`);
    const line = expect.stringMatching(
      new RegExp(`^UNDECIDED .*but no values of ${feeds} are loaded`),
    );
    expect([end.code, lastLine(end)]).toEqual([4, line]);
  });

  test('a list says that it lacks the vulnerabilities of an SBOM without evaluated components', async () => {
    const project = await bench.project();
    for (const [document, service] of [
      ['bad.json', 'web'],
      ['nothing.json', 'worker'],
    ])
      await bench.run(`upload ${document} --project ${project} --service ${service} --version 1`);
    for (const [command, word] of [
      ['vulns', 'LISTED'],
      ['fix', 'PLANNED'],
    ]) {
      const end = await bench.run(`${command} --project ${project}`);
      const doubt = 'but the newest SBOM of worker has no component that could be evaluated';
      const line = expect.stringMatching(new RegExp(`^${word} ${project}: [1-9].*, ${doubt} `));
      expect([end.code, lastLine(end)]).toEqual([0, line]);
    }
  });

  test('what a mistake in the call leaves open is asked for, not guessed', async () => {
    const of = `--project ${await bench.project()} --service web`;
    const calls = [
      [`upload clean.json --version= ${of}`, 2, '--version is empty'],
      [`check clean.json --only-new --baseline= ${of}`, 2, '--baseline is empty'],
      ['check clean.json --config /', 2, 'cannot be read'],
      ['status --url http://127.0.0.1:1/api/v1', 2, 'Leave out what follows it'],
      ['search oo', 0, 'only whole names are found'],
    ] as const;
    for (const [command, code, text] of calls) {
      const end = await bench.run(command);
      expect([command, end.code, lastLine(end)]).toEqual([
        command,
        code,
        expect.stringContaining(text),
      ]);
    }
  });

  test('a command without a verdict leaves no report of an earlier run', async () => {
    const written = (): string[] => readdirSync(bench.work).filter((name) => /^last\./.test(name));
    const outputs = '--output junit=last.xml --output sarif=last.sarif';
    await bench.run(`check clean.json --fail-on high ${outputs}`);
    expect(written()).toEqual(['last.sarif', 'last.xml']);
    const undecided = await bench.run(`check nothing.json --fail-on high ${outputs}`);
    expect([undecided.code, written()]).toEqual([4, ['last.xml']]);
    const refused = await bench.run(`check broken.json --fail-on high ${outputs}`);
    expect([refused.code, written()]).toEqual([2, []]);
  });
}
