import fc from 'fast-check';
import { countLines, lineAt, type OpenGroup } from './group-lines';

const open: fc.Arbitrary<OpenGroup[]> = fc
  .uniqueArray(fc.record({ group: fc.nat(40), rows: fc.nat(12) }), {
    selector: ({ group }) => group,
  })
  .map((all) => all.sort((one, other) => one.group - other.group));

test('the lines are the groups in order, each followed by the rows of the open ones', () => {
  fc.assert(
    fc.property(open, (opened) => {
      const groups = 41;
      const rowsOf = new Map(opened.map(({ group, rows }) => [group, rows]));
      const expected = Array.from({ length: groups }, (_, group) => [
        { kind: 'group', group },
        ...Array.from({ length: rowsOf.get(group) ?? 0 }, (__, row) => ({
          kind: 'row',
          group,
          row,
        })),
      ]).flat();
      const lines = Array.from({ length: countLines(groups, opened) }, (_, at) =>
        lineAt(at, opened),
      );
      expect(lines).toEqual(expected);
    }),
  );
});
