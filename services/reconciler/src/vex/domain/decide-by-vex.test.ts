import fc from 'fast-check';
import type { CoveredPackage, StatementMatch, VexStatement } from '@bomtrail/vex';
import { appliesTo } from '../../tracking/domain/decisions';
import { decisionOn, observation } from '../../tracking/domain/testing';
import { toSnapshot } from '../../tracking/domain/snapshot';
import type { TrackedVulnerability } from '../../tracking/domain/types';
import { decideByVex } from './decide-by-vex';
import { LaterAffected } from './later-affected';
import { placedStatements } from './vex-documents';
import { conflictsOf, idsToCompare } from './vex-conflicts';

/** What a document says about packages (`lib@1`) or everything, at the time of its place in the list. */
interface Said {
  ids: string[];
  covers: 'everything' | string[];
  status: VexStatement['status'];
}

const covered = (one: string): CoveredPackage => {
  const [name = '', version = ''] = one.split('@');
  return { identity: `pkg:npm/${name}`, package_key: `npm|${name}`, version };
};

/** Each statement in a document of its own. */
function statementsOf(said: readonly Said[]) {
  const placed = placedStatements(
    said.map(({ ids, status }, index) => ({
      id: `document-${index}`,
      created_at: '',
      updated_at: '2026-01-02T00:00:00.000Z',
      document: {
        id: '',
        version: '1',
        author: '',
        last_updated: null,
        statements: [
          {
            vulnerability: ids,
            status,
            products: [],
            timestamp: `2026-01-01T00:00:00.${String(index).padStart(3, '0')}Z`,
          } as unknown as VexStatement,
        ],
      },
    })),
  );
  const matches = said.map(({ covers }): StatementMatch => ({
    fits: true,
    covers: covers === 'everything' ? covers : covers.map(covered),
  }));
  return { placed, matches };
}

/** A vulnerability in versions of a package. */
function row(
  aliases: readonly string[],
  components: readonly string[],
  upstream: string[] = [],
): TrackedVulnerability {
  const found = components.map((one) => ({
    ...observation([one, ...aliases].join(' ')),
    ...(upstream.length > 0 && { upstream }),
  }));
  return {
    package_key: found[0]?.package_key ?? '',
    snapshot: toSnapshot(found),
  } as TrackedVulnerability;
}

function isDecided(said: readonly Said[], vulnerability: TrackedVulnerability): boolean {
  const { placed, matches } = statementsOf(said);
  return decideByVex(placed, matches).some(({ placed: { ids }, packages }) => {
    const decision = decisionOn(ids, { source: 'vex', ...(packages && { packages }) });
    return appliesTo(decision, vulnerability, { service_id: 'service', now: '' });
  });
}

const no = (ids: string, covers: Said['covers']): Said => ({
  ids: ids.split(' '),
  covers,
  status: 'not_affected',
});
const yes = (ids: string, covers: Said['covers']): Said => ({
  ...no(ids, covers),
  status: 'affected',
});

interface Row {
  name: string;
  said: Said[];
  /** Aliases, then versions of the package. */
  found: [string, ...string[]];
  /** CVEs that it fixes, as the notice of a distribution. */
  fixes?: string[];
  decided: boolean;
}

const both = 'GHSA-1 CVE-1';
const rows: Row[] = [
  {
    name: 'the same id',
    said: [no('CVE-1', ['lib@1']), yes('CVE-1', ['lib@1'])],
    found: ['CVE-1', 'lib@1'],
    decided: false,
  },
  {
    name: 'an alias',
    said: [no('CVE-1', ['lib@1']), yes('GHSA-1', ['lib@1'])],
    found: [both, 'lib@1'],
    decided: false,
  },
  {
    name: 'an alias, of everything',
    said: [no('CVE-1', 'everything'), yes('GHSA-1', 'everything')],
    found: [both, 'lib@1'],
    decided: false,
  },
  {
    name: 'no alias',
    said: [no('CVE-1', 'everything'), yes('GHSA-1', 'everything')],
    found: ['GHSA-2 CVE-1', 'lib@1'],
    decided: true,
  },
  {
    name: 'an alias, before',
    said: [yes('GHSA-1', ['lib@1']), no('CVE-1', ['lib@1'])],
    found: [both, 'lib@1'],
    decided: true,
  },
  {
    name: 'an alias, and not affected again',
    said: [no('CVE-1', ['lib@1']), yes('GHSA-1', ['lib@1']), no('CVE-1', ['lib@1'])],
    found: [both, 'lib@1'],
    decided: true,
  },
  {
    name: 'an alias in another version',
    said: [no('CVE-1', ['lib@1', 'lib@2']), yes('GHSA-1', ['lib@1'])],
    found: [both, 'lib@2'],
    decided: true,
  },
  {
    name: 'an alias in one of two versions',
    said: [no('CVE-1', ['lib@1', 'lib@2']), yes('GHSA-1', ['lib@1'])],
    found: [both, 'lib@1', 'lib@2'],
    decided: false,
  },
  {
    name: 'no alias, in one of two versions',
    said: [no('CVE-1', ['lib@1', 'lib@2']), yes('GHSA-1', ['lib@1'])],
    found: ['CVE-1', 'lib@1', 'lib@2'],
    decided: true,
  },
  {
    name: 'an alias in a part of everything',
    said: [no('CVE-1', 'everything'), yes('GHSA-1', ['foo@1'])],
    found: [both, 'lib@1'],
    decided: false,
  },
  {
    name: 'an alias twice, the second time in part',
    said: [no('GHSA-1', ['lib@1']), yes('CVE-1', 'everything'), yes('CVE-1', ['foo@1'])],
    found: [both, 'lib@1'],
    decided: false,
  },
  {
    name: 'nothing, of a notice about the CVE',
    said: [no('CVE-1', ['lib@1'])],
    found: ['UBUNTU-CVE-1', 'lib@1'],
    fixes: ['CVE-1'],
    decided: true,
  },
  {
    name: 'one of the CVEs of a notice',
    said: [no('CVE-1 CVE-2', ['lib@1'])],
    found: ['RHSA-1', 'lib@1'],
    fixes: ['CVE-1', 'CVE-2'],
    decided: false,
  },
  {
    name: 'a CVE that is another one beside that of its own',
    said: [no('CVE-2', ['lib@1'])],
    found: ['DSA-1 CVE-1', 'lib@1'],
    fixes: ['CVE-2'],
    decided: false,
  },
  {
    name: 'the notice about the CVE',
    said: [no('CVE-1', ['lib@1']), yes('UBUNTU-CVE-1', ['lib@1'])],
    found: ['UBUNTU-CVE-1', 'lib@1'],
    fixes: ['CVE-1'],
    decided: false,
  },
  {
    name: 'the CVE of a notice',
    said: [no('RHSA-1', ['lib@1']), yes('CVE-2', ['lib@1'])],
    found: ['RHSA-1', 'lib@1'],
    fixes: ['CVE-1', 'CVE-2'],
    decided: false,
  },
];

test.each(rows)('what takes from a decision: $name', ({ said, found, fixes, decided }) => {
  const [aliases, ...components] = found;
  expect(isDecided(said, row(aliases.split(' '), components, fixes))).toBe(decided);
});

const keys = ['lib@1', 'lib@2', 'foo@1'];
const ids = ['CVE-1', 'CVE-2', 'GHSA-1', 'PYSEC-1'];
const someSaid = fc.array(
  fc.record<Said>({
    ids: fc.subarray(ids, { minLength: 1, maxLength: 2 }),
    covers: fc.oneof(fc.constant('everything' as const), fc.subarray(keys, { minLength: 1 })),
    status: fc.constantFrom('not_affected', 'affected'),
  }),
  { maxLength: 7 },
);
const someRow = fc.record({
  aliases: fc.subarray(ids, { minLength: 1 }),
  upstream: fc.subarray(['CVE-1', 'CVE-2', 'CVE-3']),
  components: fc.constantFrom<string[]>(['lib@1'], ['lib@2'], ['lib@1', 'lib@2'], ['foo@1']),
});

/** VX9 and VX13, looked up statement by statement. */
function expectedDecided(
  said: readonly Said[],
  { aliases, components, upstream }: { [Of in 'aliases' | 'components' | 'upstream']: string[] },
): boolean {
  const isNoticeOfOne = upstream.length === 1 && !aliases.some((id) => id.startsWith('CVE-'));
  const named = isNoticeOfOne ? [...aliases, ...upstream] : aliases;
  return said.some((one, index) => {
    if (one.status === 'affected' || !one.ids.some((id) => named.includes(id))) return false;
    const takers = said.slice(index + 1).filter((other) => {
      const meets = [...aliases, ...upstream, ...one.ids];
      return other.status === 'affected' && other.ids.some((id) => meets.includes(id));
    });
    if (one.covers === 'everything') return takers.length === 0;
    const { covers } = one;
    return components.every(
      (component) =>
        covers.includes(component) &&
        takers.every((other) => other.covers !== 'everything' && !other.covers.includes(component)),
    );
  });
}

test('what is said of a component without findings decides nothing about another one of its name', () => {
  const { placed } = statementsOf([no('CVE-1', ['zlib1g@1'])]);
  // Without a distribution it is not matched; the same package with one may be a component of the SBOM, too.
  const covers = [{ identity: 'pkg:deb/debian/zlib1g', version: '1' }];
  expect(decideByVex(placed, [{ fits: true, covers }])).toEqual([]);
});

test('the latest of the statements about one alias group and package counts', () => {
  fc.assert(
    fc.property(someSaid, someRow, (said, found) => {
      const { aliases, components, upstream } = found;
      expect(isDecided(said, row(aliases, components, upstream))).toBe(
        expectedDecided(said, found),
      );
    }),
    { numRuns: 2_000 },
  );
});

const numbered = (kind: string): string[] =>
  Array.from({ length: 30 }, (_, number) => `${kind}${number}`);

test.each([
  ['few', ['CVE-1', 'GHSA-1'], ['CVE-1', 'GHSA-1']],
  ['many of its kind', [...numbered('CVE-'), 'GHSA-1'], ['CVE-*', 'GHSA-1']],
  ['many of another kind', [...numbered('GHSA-'), 'PYSEC-1'], ['GHSA-*', 'PYSEC-*']],
  ['many without a kind', [...numbered('x'), 'CVE-1'], ['*', 'CVE-*']],
])('the ids that a decision excepts are bounded: %s', (_name, affected, expected) => {
  const later = new LaterAffected(1e9);
  for (const id of affected) later.add([id], new Map([['lib@1', null]]));
  const inPart = new Map([
    ['lib@1', null],
    ['lib@2', null],
  ]);
  for (const cover of ['everything', new Map([['lib@1', null]])] as const)
    expect(later.exceptionsFrom(['CVE-1000'], cover)).toEqual({
      everywhere: expected,
      at: new Map(),
    });
  const { everywhere, at } = later.exceptionsFrom(['CVE-1000'], inPart);
  expect([everywhere, at.get('lib@1') ?? []].flat()).toEqual(expected);
});

test.each([
  ['2026-01-02T12:00:00.000Z', '2026-01-02T12:00:00.000Z'],
  ['2099-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
])('a statement of %s in a document imported on 2026-01-02 is of %s', (timestamp, at) => {
  const [stored] = statementsOf([no('CVE-1', ['lib@1'])]).placed.map((one) => one.stored);
  if (!stored) throw new Error('there is no document');
  const [statement] = stored.document.statements.map((one) => ({ ...one, timestamp }));
  const document = { ...stored.document, statements: statement ? [statement] : [] };
  expect(placedStatements([{ ...stored, document }])).toMatchObject([{ at }]);
});

test('documents that name other ids disagree where aliases are known', () => {
  const { placed, matches } = statementsOf([
    no('CVE-1', ['lib@1']),
    yes('GHSA-1', ['lib@1']),
    yes('GHSA-1', ['lib@2']),
  ]);
  expect(idsToCompare(placed, matches)).toEqual(['CVE-1', 'GHSA-1']);
  expect(conflictsOf(placed, matches)).toEqual([]);
  expect(conflictsOf(placed, matches, [['CVE-1', 'CVE-2', 'GHSA-1']])).toEqual([
    {
      former: { vex_id: 'document-0', index: 0 },
      latter: { vex_id: 'document-1', index: 0 },
    },
  ]);
});
