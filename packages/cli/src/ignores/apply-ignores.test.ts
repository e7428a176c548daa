import type { SbomVerdict } from '@bomtrail/api-client';
import { entryOf, finding, verdictOf } from '../testing/findings';
import { applyIgnores } from './apply-ignores';
import { activeIgnore, type Ignore } from './ignore';

const now = new Date('2026-11-23T12:00:00Z');
const found = finding({ aliases: ['CVE-1', 'GHSA-1', 'PYSEC-1'] });
const other = finding({ cve_id: 'CVE-2', advisory_ids: ['GHSA-2'] });
const poor = { code: 'quality', message: 'The quality of the document is 3 of 100, below 60.' };
const denied = { code: 'licenses', message: '1 component has a licence that is denied.' };
const doubt = { code: 'feed_stale', message: 'Too old.' } as const;
const passing = verdictOf([]);

async function applied(
  entries: readonly Ignore[],
  verdict: SbomVerdict,
  withoutFindings: SbomVerdict[] = [passing],
) {
  let asked = 0;
  const result = await applyIgnores(verdict, {
    entries,
    now,
    findings: async () => ({ service_name: 'web', vulnerabilities: [found, other] }),
    withoutFindings: async () => {
      asked += 1;
      return withoutFindings;
    },
  });
  return { ...result, asked };
}

test.each<[string, Partial<Ignore>, boolean]>([
  ['CVE-1', {}, true],
  ['cve-1', {}, true],
  ['PYSEC-1', {}, true],
  ['CVE-10', {}, false],
  ['CVE-1', { package: 'LEFT-PAD' }, true],
  ['CVE-1', { package: 'pkg:npm/left-pad' }, true],
  ['CVE-1', { package: 'left' }, false],
  ['CVE-1', { package: 'pkg:npm/left' }, false],
  ['CVE-1', { expiresAt: now }, false],
  ['CVE-1', { expiresAt: new Date(now.getTime() + 1) }, true],
])('an entry for %s %j applies: %p', (id, of, expected) => {
  expect(activeIgnore([entryOf(id, of)], found, now) !== undefined).toBe(expected);
});

test('a scope is no version', () => {
  const scoped = finding({ purl: 'pkg:npm/%40a/b@1.0.0?x=@/', package_name: '@a/b' });
  const at = (of: string) => activeIgnore([entryOf('CVE-1', { package: of })], scoped, now);
  expect([at('pkg:npm/%40a/b'), at('@a/b'), at('pkg:npm/%40a')].map(Boolean)).toEqual([
    true,
    true,
    false,
  ]);
});

test('I1 what fails beside the ignored findings still fails', async () => {
  const { verdict, ignored, asked } = await applied(
    [entryOf('PYSEC-1')],
    verdictOf([found, other]),
  );
  expect([verdict.verdict, verdict.failing_total, asked]).toEqual(['fail', 1, 0]);
  expect(verdict.failing.map(({ cve_id }) => cve_id)).toEqual(['CVE-2']);
  expect(verdict.reasons).toEqual([
    {
      code: 'findings',
      message: '1 finding fail the gate; 1 more are ignored by the project file.',
    },
  ]);
  expect([...ignored.keys()]).toEqual([found.id]);
});

test.each<[string, SbomVerdict[], SbomVerdict['verdict'], string[]]>([
  ['passes', [passing], 'pass', []],
  [
    'has doubts',
    [verdictOf([], { verdict: 'undecided', reasons: [doubt] })],
    'undecided',
    ['feed_stale'],
  ],
  [
    'fails by values of a feed that is loaded, and another has doubts',
    [verdictOf([], { verdict: 'undecided', reasons: [doubt] }), verdictOf([found])],
    'undecided',
    ['feed_stale'],
  ],
  ['fails by values of a feed, and another passes', [passing, verdictOf([found])], 'pass', []],
  [
    'fails by licences',
    [verdictOf([], { verdict: 'fail', reasons: [denied] })],
    'fail',
    ['licenses'],
  ],
  [
    'fails by licences and quality, and by quality',
    [
      verdictOf([], { verdict: 'fail', reasons: [denied, poor] }),
      verdictOf([found], { verdict: 'fail', reasons: [denied, poor] }),
    ],
    'fail',
    ['licenses', 'quality'],
  ],
])('I2 if all that fails is ignored and the rest %s', async (...[, others, expected, reasons]) => {
  const { verdict } = await applied([entryOf('CVE-1')], verdictOf([found]), others);
  expect([verdict.verdict, verdict.reasons.map(({ code }) => code)]).toEqual([expected, reasons]);
});

test('I3 what the response leaves out is not ignored', async () => {
  const { verdict } = await applied([entryOf('CVE-1')], verdictOf([found], { failing_total: 101 }));
  expect([verdict.verdict, verdict.failing_total]).toEqual(['fail', 100]);
});

test.each([
  ['undecided', verdictOf([], { verdict: 'undecided', reasons: [doubt] })],
  ['not scanned', verdictOf([], { verdict: 'undecided', scan_status: 'pending' })],
  ['a pass', passing],
])('a verdict that is %s stays so', async (_, given) => {
  expect((await applied([entryOf('CVE-1')], given)).verdict).toBe(given);
});

test('I2 findings that changed advisories may have added are not passed with the ignored ones', async () => {
  const changing = { code: 'advisories_changing', message: 'There may be more findings.' };
  const failing = verdictOf([found], { caveats: [changing] });
  const { verdict } = await applied([entryOf('CVE-1')], failing);
  expect(verdict).toMatchObject({ verdict: 'undecided', reasons: [changing] });
});
