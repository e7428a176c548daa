import type { SbomVerdict } from '@bomtrail/api-client';
import { awaitVerdict, type Clock } from './await-verdict';

const passes = { scan_status: 'scanned', verdict: 'pass', reasons: [], caveats: [] };
const waits = (code: string, scan_status = 'scanned') => ({
  scan_status,
  verdict: 'undecided',
  reasons: [{ code, message: 'Wait.' }],
  caveats: [],
});

/**
 * A service that gives these verdicts at once, one after the other, the last one again and again; and a
 * clock that only sleep moves.
 */
function serviceOf(...verdicts: object[]) {
  const queries: unknown[] = [];
  const slept: number[] = [];
  const passed = (): number => slept.reduce((sum, ms) => sum + ms, 0);
  const clock: Clock = { now: passed, sleep: async (ms) => slept.push(ms) };
  const verdict = async (_id: string, query: unknown) => {
    queries.push(query);
    return verdicts[Math.min(queries.length, verdicts.length) - 1] as SbomVerdict;
  };
  return { queries, slept, passed, clock, api: { verdict } };
}

const query = {
  sbomId: 's',
  failOn: 'high',
  onlyNew: true,
  failOnKev: false,
  failOnLicense: false,
  minQuality: undefined,
  maxEpss: undefined,
  onlyFixable: false,
  baseline: undefined,
} as const;

test.each([
  ['scan_pending', 'pending', 500],
  ['advisories_changing', 'scanned', 3_000],
  ['baseline_pending', 'scanned', 3_000],
])('%s is waited for, without asking all the time', async (code, status, pauseMs) => {
  const { api, queries, slept, clock } = serviceOf(waits(code, status), passes);
  const verdict = await awaitVerdict(api, { ...query, withinMs: 60_000 }, clock);
  expect(verdict.verdict).toBe('pass');
  expect(queries).toHaveLength(2);
  expect(slept).toEqual([pauseMs]);
});

test('a fail to which changed advisories may add findings is asked for again', async () => {
  const caveats = [{ code: 'advisories_changing', message: 'There may be more findings.' }];
  const fails = { scan_status: 'scanned', verdict: 'fail', reasons: [], caveats: [] };
  const { api, queries, clock } = serviceOf({ ...fails, caveats }, fails);
  const verdict = await awaitVerdict(api, { ...query, withinMs: 60_000 }, clock);
  expect([verdict.caveats, queries.length]).toEqual([[], 2]);
});

test('what no waiting mends is told at once', async () => {
  const { api, queries, clock } = serviceOf(waits('starter_data'), passes);
  const verdict = await awaitVerdict(api, { ...query, withinMs: 60_000 }, clock);
  expect(verdict.verdict).toBe('undecided');
  expect(queries).toEqual([{ fail_on: 'high', only_new: 'true', wait: 60 }]);
});

test.each(['advisories_changing', 'scan_pending'])(
  '%s is told when the time is up',
  async (code) => {
    const service = serviceOf(waits(code, code === 'scan_pending' ? 'pending' : 'scanned'));
    const verdict = await awaitVerdict(service.api, { ...query, withinMs: 7_200 }, service.clock);
    expect(verdict.verdict).toBe('undecided');
    expect(service.passed()).toBe(7_200);
  },
);
