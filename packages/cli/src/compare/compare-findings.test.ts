import {
  compareFindings,
  type AdvisoryState,
  type OwnFinding,
  type OwnResult,
} from './compare-findings';
import type { OtherFinding } from './other-finding';

const purlOf = (name: string, version: string) => `pkg:npm/${name}@${version}`;
const found = (id: string, changes: Partial<OwnFinding> = {}): OwnFinding => ({
  cve_id: id,
  aliases: [id, 'GHSA-aaaa-bbbb-cccc'],
  advisory_ids: ['GHSA-aaaa-bbbb-cccc'],
  package_name: 'a',
  package_version: '1.0.0',
  package_versions: ['1.0.0'],
  purl: purlOf('a', '1.0.0'),
  status: 'open',
  ...changes,
});
const other = (id: string, changes: Partial<OtherFinding> = {}): OtherFinding => ({
  id,
  aliases: [],
  name: 'a',
  version: '1.0.0',
  purl: purlOf('a', '1.0.0'),
  isSuppressed: false,
  ...changes,
});
const component = (name: string, version: string) => ({
  name,
  version,
  purl: purlOf(name, version),
});
const components = [component('a', '1.0.0'), component('a', '2.0.0')];

function compared(
  own: Partial<OwnResult>,
  others: OtherFinding[],
  state: AdvisoryState = 'unknown',
) {
  const asked: string[][] = [];
  const result = compareFindings(
    { findings: [], components, unevaluated: [], ...own },
    others,
    async (ids) => {
      asked.push([...ids]);
      return state;
    },
  );
  return { result, asked };
}

test.each<[string, Partial<OtherFinding>, string | null]>([
  ['the same id', {}, null],
  ['the same id in another case', { id: 'cve-1' }, null],
  ['an alias', { id: 'GHSA-AAAA-bbbb-cccc' }, 'CVE-1'],
  ['an id of its own with a shared alias', { id: 'SNYK-1', aliases: ['CVE-1'] }, 'CVE-1'],
  ['qualifiers in the purl', { purl: 'pkg:npm/a@1.0.0?x=y' }, null],
  ['the purl in another case, as grype writes those of Go', { purl: 'pkg:npm/A@1.0.0' }, null],
  ['no purl and a name in another case', { purl: null, name: 'A' }, null],
  ['no version', { version: '', purl: null }, null],
  ['the version in the purl alone', { version: '' }, null],
  ['a leading v', { version: 'v1.0.0', purl: null }, null],
])('CF1 a finding with %s is in both', async (_what, changes, otherId) => {
  const { result, asked } = compared({ findings: [found('CVE-1')] }, [
    other('CVE-1', changes),
    other('CVE-1', changes),
  ]);
  expect(await result).toMatchObject({ both: [{ otherId }], missing: [], extra: [], decided: [] });
  expect(asked).toEqual([]);
});

test('CF1 names of group and artifact are the same with either separator', async () => {
  const own = found('CVE-1', { package_name: 'org.x:y', purl: 'pkg:maven/org.x/y@1.0.0' });
  const there = other('CVE-1', { name: 'org.x/y', purl: null });
  const { result } = compared({ findings: [own] }, [there]);
  expect((await result).both).toHaveLength(1);
});

test('CF1 packages with different purls are different, whatever their names', async () => {
  const { result } = compared({ findings: [found('CVE-1')] }, [
    other('CVE-1', { purl: 'pkg:pypi/a@1.0.0' }),
  ]);
  expect(await result).toMatchObject({ both: [], missing: [{ reason: 'package_unknown' }] });
});

const unevaluated = [{ ...component('a', '1.0.0'), reason: 'feed_stale', advisory_ids: [] }];
const byAdvisory = [
  { ...component('a', '1.0.0'), reason: 'source_unknown', advisory_ids: ['X-1'] },
];

test.each<[string, Partial<OwnResult>, Partial<OtherFinding>, AdvisoryState, object, number]>([
  [
    'a package of no such name',
    {},
    { name: 'b', purl: purlOf('b', '1') },
    'known',
    { reason: 'package_unknown' },
    0,
  ],
  [
    'another version',
    {},
    { version: '3', purl: null },
    'known',
    { reason: 'version_differs', detail: 'the SBOM has 1.0.0, 2.0.0' },
    0,
  ],
  [
    'a component that was not evaluated',
    { unevaluated },
    {},
    'known',
    { reason: 'not_evaluated', detail: 'feed_stale' },
    0,
  ],
  [
    'an advisory that was not decided',
    { unevaluated: byAdvisory },
    { id: 'X-1' },
    'known',
    { reason: 'not_evaluated', detail: 'source_unknown' },
    0,
  ],
  [
    'another advisory than the undecided one',
    { unevaluated: byAdvisory },
    {},
    'unknown',
    { reason: 'advisory_unknown' },
    1,
  ],
  [
    'a version that is not affected here, unlike another one',
    { findings: [found('CVE-1', { package_versions: ['2.0.0'], status: 'accepted' })] },
    {},
    'known',
    { reason: 'version_range', detail: 'found in 2.0.0 only' },
    0,
  ],
  ['a known advisory', {}, {}, 'known', { reason: 'version_range' }, 1],
  ['an unknown advisory', {}, {}, 'unknown', { reason: 'advisory_unknown' }, 1],
  ['a withdrawn advisory', {}, {}, 'withdrawn', { reason: 'withdrawn' }, 1],
  ['too many questions', {}, {}, 'not_asked', { reason: 'not_asked' }, 1],
])('CF2 a finding of %s has that reason', async (...[, own, changes, state, reason, questions]) => {
  const { result, asked } = compared(
    own,
    [other('CVE-1', { aliases: ['A-1'], ...changes })],
    state,
  );
  expect((await result).missing).toMatchObject([reason]);
  expect(asked).toHaveLength(questions);
});

test.each<[string, OtherFinding[], string]>([
  ['is suppressed', [other('CVE-1', { isSuppressed: true }), other('CVE-2')], 'suppressed_there'],
  ['is not among those of its package', [other('CVE-2')], 'not_reported'],
  ['is of a package without findings', [], 'package_not_reported'],
])('CF3 a finding here that %s there has that reason', async (_what, others, reason) => {
  const { result } = compared({ findings: [found('CVE-1')] }, others, 'known');
  expect((await result).extra).toMatchObject([{ id: 'CVE-1', reason }]);
});

test.each(['accepted', 'not_affected', 'false_positive'])(
  'CF4 what is %s here is no difference, found there or not',
  async (status) => {
    const findings = [found('CVE-1', { status })];
    expect(await compared({ findings }, [other('CVE-1')]).result).toEqual({
      both: [],
      decided: [{ id: 'CVE-1', name: 'a', version: '1.0.0', status }],
      missing: [],
      extra: [],
    });
    expect(await compared({ findings }, []).result).toMatchObject({ decided: [], extra: [] });
  },
);

test('CF4 what is suppressed there is not looked for', async () => {
  const { result } = compared({}, [other('CVE-1', { isSuppressed: true })]);
  expect(await result).toEqual({ both: [], decided: [], missing: [], extra: [] });
});

test('100,000 findings of one package are compared in seconds', async () => {
  const others = Array.from({ length: 100_000 }, (_, n) =>
    other(`CVE-${n}`, { name: `p${n}`, purl: null }),
  );
  const findings = others.map(({ id, name }) =>
    found(id, { package_name: name, purl: null, aliases: [id], advisory_ids: [] }),
  );
  const begun = performance.now();
  expect((await compared({ findings }, others).result).both).toHaveLength(100_000);
  expect(performance.now() - begun).toBeLessThan(20_000);
});
