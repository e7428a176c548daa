import type { SbomVerdict } from '@bomtrail/api-client';
import type { Context } from '../context';
import { EXIT, serviceError, type CliError } from '../exit-codes';
import { writeReports } from './write-reports';

const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
const judgedAll = { components: 3, evaluated: 3, undetermined: {}, scope: 'all' };

function verdictOf(of: object): SbomVerdict {
  return {
    scan_status: 'scanned',
    verdict: 'pass',
    reasons: [],
    caveats: [],
    fail_on: 'high',
    baseline: null,
    counts,
    new_counts: null,
    failing_total: 0,
    failing: [],
    coverage: judgedAll,
    advisory_data: 'feed',
    oldest_feed_age_seconds: 60,
    ...of,
  } as unknown as SbomVerdict;
}

const because = (verdict: string, code: string) => ({
  verdict,
  reasons: [{ code, message: `It is ${code}.` }],
});
const counting = (word: string) => ({
  coverage: { components: 3, evaluated: 2, undetermined: { [word]: 1 }, scope: 'part' },
});

/** What is printed and said where SARIF is asked for; `null`: nothing was judged. */
async function sarifOf(verdict: SbomVerdict | null): Promise<{ printed: string; said: string }> {
  const printed: string[] = [];
  const said: string[] = [];
  const context = {
    now: () => new Date(),
    print: (text: string) => printed.push(text),
    say: (line: string) => said.push(line),
  } as unknown as Context;
  const outcome = { exitCode: 0, line: '', conclusion: 'pass' as const };
  const bytes = Buffer.from('{}');
  const document = {
    what: 'shop/web 1',
    stored: { id: 's' },
    file: { name: 'bom.json', packed: bytes, bytes, sha256: '' },
    judged: verdict && { verdict, judgement: outcome, ignored: new Map() },
    outcome,
    findings: async () => ({ service_name: 'web', vulnerabilities: [] }),
  };
  await writeReports(context, {
    targets: [{ format: 'sarif', file: null }],
    documents: [document],
    outcome,
    folder: '/repo',
    toolVersion: '1.0.1',
  });
  return { printed: printed.join(''), said: said.join('\n') };
}

test.each([
  ['a pass', {}],
  ['findings', because('fail', 'findings')],
  [
    'findings beside components without a purl',
    { ...because('fail', 'findings'), ...counting('no_purl') },
  ],
  ['denied licences', because('fail', 'licenses')],
  ['low quality', because('fail', 'quality')],
  ['a project without a licence policy', because('undecided', 'no_license_policy')],
  ['an unknown quality', because('undecided', 'quality_unknown')],
  ['a missing risk feed', because('undecided', 'risk_feed_not_loaded')],
  ['a baseline that is not scanned', because('undecided', 'baseline_pending')],
  ['a pass beside words of a later release', counting('too_new')],
])('SARIF is written for %s', async (_what, of) => {
  const { printed, said } = await sarifOf(verdictOf(of));
  expect(JSON.parse(printed)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] });
  expect(said).toBe('');
});

test.each([
  ...['scan_pending', 'scan_failed', 'nothing_judged', 'feed_not_loaded', 'starter_data'],
  ...['feed_stale', 'advisories_changing', 'a_later_reason'],
])('none is written where it is %s, which would close alerts, and that is said', async (code) => {
  const { printed, said } = await sarifOf(verdictOf(because('undecided', code)));
  expect(printed).toBe('');
  expect(said).toMatch(new RegExp(`No SARIF is written.*It is ${code}`));
});

test.each(['feed_not_loaded', 'starter_data', 'feed_stale', 'a_later_reason'])(
  'none is written for findings where other components are %s',
  async (word) => {
    const found = verdictOf({ ...because('fail', 'findings'), ...counting(word) });
    const { printed, said } = await sarifOf(found);
    expect(printed).toBe('');
    expect(said).toContain(`1 (${word})`);
  },
);

test('none is written for findings to which changed advisories may add others', async () => {
  const caveats = [{ code: 'advisories_changing', message: 'There may be more findings.' }];
  const found = verdictOf({ ...because('fail', 'findings'), caveats });
  const { printed, said } = await sarifOf(found);
  expect(printed).toBe('');
  expect(said).toMatch(/No SARIF is written.*There may be more findings/);
});

test.each([
  ['before the scan', { scan_status: 'pending' }],
  ['after a failed scan', { scan_status: 'failed' }],
  ['where no component is judged', { coverage: { ...judgedAll, evaluated: 0, scope: 'none' } }],
  ['where advisories are missing', counting('feed_not_loaded')],
])('none is written for a fail by quality %s', async (_when, of) => {
  const { printed, said } = await sarifOf(verdictOf({ ...because('fail', 'quality'), ...of }));
  expect(printed).toBe('');
  expect(said).toContain('No SARIF is written');
});

test('none is written where nothing is known: no verdict, no coverage, an unknown word', async () => {
  const unknown = [
    null,
    verdictOf({ ...because('fail', 'findings'), coverage: null }),
    verdictOf({ verdict: 'postponed' }),
  ];
  for (const verdict of unknown) expect((await sarifOf(verdict)).printed).toBe('');
});

test('findings that fail the gate are the outcome also where a report cannot be made; a pass is not', async () => {
  const end = async (exitCode: 0 | 1): Promise<[number, string]> => {
    const said: string[] = [];
    const context = {
      now: () => new Date(),
      print: () => {},
      say: (line: string) => said.push(line),
    };
    const outcome = { exitCode, line: '', conclusion: 'fail' as const };
    const document = {
      what: 'shop/web 1',
      stored: { id: 's' },
      file: null,
      judged: { verdict: verdictOf({}), judgement: outcome, ignored: new Map() },
      outcome,
      findings: () => Promise.reject(serviceError('The server is away.')),
    };
    const targets = [{ format: 'junit' as const, file: null }];
    const input = { targets, documents: [document], outcome, folder: '/repo', toolVersion: '1' };
    return writeReports(context as unknown as Context, input).then(
      (ended) => [ended.exitCode, said.join()],
      (error: CliError) => [error.exitCode, error.message],
    );
  };
  expect(await end(EXIT.policy)).toEqual([1, 'Reports are missing. The server is away.']);
  expect(await end(EXIT.pass)).toEqual([3, 'The server is away.']);
});
