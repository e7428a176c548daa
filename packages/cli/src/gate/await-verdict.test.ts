import type { SbomVerdict } from '@bomtrail/api-client';
import { awaitVerdict } from './await-verdict';

const passes = { scan_status: 'scanned', verdict: 'pass', reasons: [] };
const waits = (code: string, scan_status = 'scanned') => ({
  ...{ scan_status, verdict: 'undecided', reasons: [{ code, message: 'Wait.' }] },
});

/** A service that gives these verdicts, one after the other; the last one again and again. */
function serviceOf(...verdicts: object[]) {
  const asked: unknown[] = [];
  const verdict = async (_id: string, query: unknown) => {
    asked.push(query);
    return verdicts[Math.min(asked.length, verdicts.length) - 1] as SbomVerdict;
  };
  return { asked, api: { verdict } };
}

const question = { sbomId: 's', failOn: 'high', onlyNew: true } as const;

test.each([
  ['scan_pending', 'pending'],
  ['advisories_changing', 'scanned'],
  ['previous_pending', 'scanned'],
])('%s is waited for', async (code, status) => {
  const { api, asked } = serviceOf(waits(code, status), passes);
  const verdict = await awaitVerdict(api, { ...question, withinMs: 60_000 });
  expect(verdict.verdict).toBe('pass');
  expect(asked).toHaveLength(2);
});

test('what no waiting mends is told at once', async () => {
  const { api, asked } = serviceOf(waits('starter_data'), passes);
  const verdict = await awaitVerdict(api, { ...question, withinMs: 60_000 });
  expect(verdict.verdict).toBe('undecided');
  expect(asked).toEqual([{ fail_on: 'high', only_new: 'true', wait: 60 }]);
});

test.each(['advisories_changing', 'scan_pending'])(
  '%s is told when the time is up',
  async (code) => {
    const { api } = serviceOf(waits(code, code === 'scan_pending' ? 'pending' : 'scanned'));
    const verdict = await awaitVerdict(api, { ...question, withinMs: 600 });
    expect(verdict.verdict).toBe('undecided');
  },
);
