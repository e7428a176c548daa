import fc from 'fast-check';
import { aliasGroups } from './alias-groups';
import { describeGroup } from './describe-group';
import { readRecord } from './read-record';

function groupsOf(...records: [string, ...string[]][]): Record<string, string> {
  return Object.fromEntries(aliasGroups(records.map(([id, ...aliases]) => ({ id, aliases }))));
}

describe('M17: aliases join ids into one vulnerability', () => {
  test('a record without aliases stands alone', () => {
    expect(groupsOf(['GO-1'])).toEqual({ 'GO-1': 'GO-1' });
  });

  test('in both directions, also for an id that has no record of its own', () => {
    expect(groupsOf(['GHSA-1', 'CVE-1'])).toEqual({ 'GHSA-1': 'CVE-1', 'CVE-1': 'CVE-1' });
  });

  test('over several steps', () => {
    expect(
      groupsOf(['PYSEC-1', 'CVE-2'], ['GHSA-1', 'CVE-2', 'CVE-1'], ['GO-1', 'GHSA-1']),
    ).toEqual({
      'PYSEC-1': 'CVE-1',
      'GHSA-1': 'CVE-1',
      'GO-1': 'CVE-1',
      'CVE-1': 'CVE-1',
      'CVE-2': 'CVE-1',
    });
  });

  test('and keep what nothing joins apart', () => {
    expect(groupsOf(['A', 'B'], ['C', 'D'])).toEqual({ A: 'A', B: 'A', C: 'C', D: 'C' });
  });

  const id = fc.integer({ min: 0, max: 15 }).map((n) => `ID-${n}`);
  const records = fc.array(fc.record({ id, aliases: fc.array(id, { maxLength: 3 }) }), {
    maxLength: 15,
  });

  test('whatever the order in which records and aliases arrive', () => {
    fc.assert(
      fc.property(records, fc.infiniteStream(fc.nat()), (list, random) => {
        const order = list.map((record) => ({ record, at: random.next().value as number }));
        const shuffled = order
          .toSorted((a, b) => a.at - b.at)
          .map(({ record }) => ({ ...record, aliases: record.aliases.toReversed() }));
        const sorted = (groups: Map<string, string>) => [...groups].toSorted();
        expect(sorted(aliasGroups(shuffled))).toEqual(sorted(aliasGroups(list)));
      }),
      { numRuns: 1000 },
    );
  });

  test('and tell the same of one vulnerability in each of 1,000 random orders of its records', () => {
    const members = ['GHSA-1 CVE-1', 'PYSEC-1 GHSA-1', 'OSV-1 CVE-2', 'CVE-2 CVE-1', 'CVE-1'].map(
      (text) => {
        const [id = '', ...aliases] = text.split(' ');
        const record = { id, aliases, modified: '2026-01-01T00:00:00Z', summary: `About ${id}` };
        const read = readRecord(record);
        if (!read.ok) throw new Error(read.problem);
        return read.record;
      },
    );
    const isMatching = ({ id }: { id: string }): boolean => !id.startsWith('CVE');
    const descriptionOf = (order: typeof members) => {
      const groups = aliasGroups(order);
      const matching = order.filter(isMatching).map((record) => ({ record, affected: [] }));
      const others = order.filter((record) => !isMatching(record));
      return JSON.stringify([
        ...new Set(order.map(({ id }) => groups.get(id))),
        describeGroup({ matching, others }),
      ]);
    };
    const expected = descriptionOf(members);
    expect(JSON.parse(expected)[0]).toBe('CVE-1');
    const anyOrder = fc.shuffledSubarray(members, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(anyOrder, (order) => descriptionOf(order) === expected),
      { numRuns: 1000 },
    );
  });

  test('so that two ids share a group exactly when a chain of aliases leads from one to the other', () => {
    fc.assert(
      fc.property(records, (list) => {
        const groups = aliasGroups(list);
        const reach = new Map([...groups.keys()].map((key) => [key, new Set([key])]));
        for (let round = 0; round < reach.size; round += 1) {
          for (const record of list) {
            for (const alias of record.aliases) {
              const both = new Set([...(reach.get(record.id) ?? []), ...(reach.get(alias) ?? [])]);
              for (const member of both) reach.set(member, both);
            }
          }
        }
        for (const [key, members] of reach) {
          expect(groups.get(key)).toBe([...members].toSorted()[0]);
        }
      }),
    );
  });
});
