import fc from 'fast-check';
import { evaluate, evaluateStatus } from './evaluate';
import type { PackageVersion } from './package-key';
import { readRecord } from './read-record';
import type { OsvAffected, OsvRange, OsvRecord } from './record';

/** Small numbers, so that versions and changes often meet. */
const version = fc.tuple(fc.nat(3), fc.nat(3)).map(([major, minor]) => `${major}.${minor}.0`);

const start = fc.oneof(
  version.map((introduced) => ({ introduced })),
  fc.constant({ introduced: '0' }),
);

const event = fc.oneof(
  start,
  version.map((fixed) => ({ fixed })),
  version.map((lastAffected) => ({ last_affected: lastAffected })),
  version.map((limit) => ({ limit })),
);

const range = fc.record({
  type: fc.constantFrom('SEMVER', 'ECOSYSTEM', 'GIT'),
  events: fc
    .tuple(fc.array(event, { maxLength: 2 }), start, fc.array(event, { maxLength: 2 }))
    .map(([before, one, after]) => [...before, one, ...after]),
});

const entry = fc.record({
  package: fc.record({
    ecosystem: fc.constantFrom('Debian', 'Debian:11', 'Debian:12', 'npm'),
    name: fc.constantFrom('a', 'a', 'b'),
  }),
  versions: fc.array(version, { maxLength: 2 }),
  ranges: fc.array(range, { maxLength: 3 }),
});

const record = fc.array(entry, { maxLength: 4 }).map((affected) => recordOf(affected));

const pkg: fc.Arbitrary<PackageVersion> = fc.record({
  ecosystem: fc.constant('Debian'),
  suffix: fc.constantFrom('11', '12', 'sid', null),
  name: fc.constant('a'),
  version,
});

function recordOf(affected: object[]): OsvRecord {
  const read = readRecord({ id: 'TEST-1', modified: '2024-01-01T00:00:00Z', affected });
  if (!read.ok) throw new Error(read.problem);
  return read.record;
}

function withEntries(of: OsvRecord, affected: OsvAffected[]): OsvRecord {
  return { ...of, affected };
}

function withRanges(entry: OsvAffected, change: (range: OsvRange) => OsvRange): OsvAffected {
  return { ...entry, ranges: entry.ranges.map(change) };
}

test('the status alone is the status of the evaluation', () => {
  fc.assert(
    fc.property(record, pkg, (of, one) => {
      expect(evaluateStatus(of, one)).toBe(evaluate(of, one).status);
    }),
  );
});

/** Whether a range has a window that begins and ends at one version: its order has a meaning (M43). */
function hasEmptyWindow({ events }: OsvRange): boolean {
  const fixed = new Set(events.map((event) => event.fixed));
  return events.some(({ introduced }) => introduced !== undefined && fixed.has(introduced));
}

test('the order of entries, ranges and events does not matter, except in empty windows', () => {
  fc.assert(
    fc.property(record, pkg, fc.func(fc.integer()), (of, one, rank) => {
      fc.pre(!of.affected.some(({ ranges }) => ranges.some(hasEmptyWindow)));
      const shuffle = <T>(list: readonly T[]): T[] =>
        list
          .map((item, index) => ({ item, at: rank(index, list.length) }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
      const shuffled = shuffle(of.affected).map((item) => ({
        ...withRanges(item, ({ type, events }) => ({ type, events: shuffle(events) })),
        ranges: shuffle(item.ranges.map(({ type, events }) => ({ type, events: shuffle(events) }))),
        versions: shuffle(item.versions),
      }));
      const before = evaluate(of, one);
      const after = evaluate(withEntries(of, shuffled), one);
      expect(after.status).toBe(before.status);
      if (before.status === 'affected' && after.status === 'affected') {
        expect(after.fixedVersions).toEqual(before.fixedVersions);
        expect(after.affected).toHaveLength(before.affected.length);
        expect(after.reason.rule).toBe(before.reason.rule);
      }
    }),
  );
});

test('a wider record never makes an affected version unaffected', () => {
  const more = fc.constantFrom('entry', 'range', 'version', 'no fixes', 'no limits');
  fc.assert(
    fc.property(record, pkg, fc.tuple(entry, more), (of, one, [other, what]) => {
      fc.pre(evaluate(of, one).status === 'affected');
      const [added] = recordOf([other]).affected;
      if (added === undefined) return;
      const wider = of.affected.map((item) => {
        if (what === 'range') return { ...item, ranges: [...item.ranges, ...added.ranges] };
        if (what === 'version') return { ...item, versions: [...item.versions, ...added.versions] };
        const dropped = what === 'no fixes' ? ['fixed', 'last_affected'] : ['limit'];
        return withRanges(item, ({ type, events }) => ({
          type,
          events: events.filter((one) => !dropped.some((kind) => kind in one)),
        }));
      });
      const result = evaluate(
        withEntries(of, what === 'entry' ? [...of.affected, added] : wider),
        one,
      );
      expect(result.status).toBe('affected');
    }),
  );
});

test('an advisory for other releases alone affects nothing, whatever it says', () => {
  fc.assert(
    fc.property(record, pkg, (of, one) => {
      const others = of.affected.filter(
        ({ package: named }) =>
          named?.ecosystem !== 'Debian' && named?.ecosystem !== `Debian:${one.suffix}`,
      );
      const { status } = evaluate(withEntries(of, others), one);
      const isKnown = one.suffix === '11' || one.suffix === '12';
      expect(isKnown ? ['not_affected'] : ['not_affected', 'undetermined']).toContain(status);
    }),
  );
});

test('the reason of an affected version stands by itself', () => {
  fc.assert(
    fc.property(record, pkg, (of, one) => {
      const verdict = evaluate(of, one);
      fc.pre(verdict.status === 'affected');
      if (verdict.status !== 'affected') return;
      const { reason, affected } = verdict;
      expect(affected).toContain(reason.entry);
      const named = of.affected[reason.entry];
      if (named === undefined) throw new Error('there is no such entry');
      const alone: OsvAffected =
        reason.range === null
          ? { ...named, ranges: [] }
          : { ...named, versions: [], ranges: named.ranges.slice(reason.range, reason.range + 1) };
      const again = evaluate(withEntries(of, [alone]), one);
      expect(again).toMatchObject({ status: 'affected', reason: { rule: reason.rule } });
      expect(reason.range === null).toBe(reason.rule !== 'range');
    }),
  );
});

test('a fixed version is above the version at hand and not affected itself', () => {
  fc.assert(
    fc.property(record, pkg, (of, one) => {
      const verdict = evaluate(of, one);
      if (verdict.status !== 'affected') return;
      for (const fixed of verdict.fixedVersions) {
        expect(evaluate(of, { ...one, version: fixed }).status).not.toBe('affected');
      }
    }),
  );
});
