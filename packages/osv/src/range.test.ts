import fc from 'fast-check';
import { rangeContains } from './range';
import type { Compare } from './range';
import type { OsvEvent } from './record';

/** Whole numbers as versions: an order that nobody doubts. Anything else is unreadable. */
const compare: Compare = (a, b) => {
  if (!/^-?\d+$/.test(a) || !/^-?\d+$/.test(b)) return null;
  return Math.sign(Number(a) - Number(b)) as -1 | 0 | 1;
};

function verdictOf(version: number | string, ...events: OsvEvent[]): string {
  return rangeContains({ type: 'ECOSYSTEM', events }, String(version), compare);
}

function handles(versions: number[], ...events: OsvEvent[]): string {
  return versions.map((version) => `${version} ${verdictOf(version, ...events)}`).join(', ');
}

describe('M3: the changes are walked in version order', () => {
  test('from introduced, inclusive, to fixed, exclusive', () => {
    expect(handles([9, 10, 19, 20, 21], { introduced: '10' }, { fixed: '20' })).toBe(
      '9 no, 10 yes, 19 yes, 20 no, 21 no',
    );
  });

  test('to last_affected, inclusive', () => {
    expect(handles([9, 10, 20, 21], { introduced: '10' }, { last_affected: '20' })).toBe(
      '9 no, 10 yes, 20 yes, 21 no',
    );
  });

  test('introduced 0 comes before every version, also before those below zero', () => {
    expect(handles([-5, 0, 4, 5], { introduced: '0' }, { fixed: '5' })).toBe(
      '-5 yes, 0 yes, 4 yes, 5 no',
    );
  });

  test('several windows in one range each count, and the walk does not stop at the first', () => {
    const events = [{ introduced: '10' }, { fixed: '20' }, { introduced: '30' }, { fixed: '40' }];
    expect(handles([15, 25, 35, 45], ...events)).toBe('15 yes, 25 no, 35 yes, 45 no');
  });

  test('events that are not in version order', () => {
    const events = [{ fixed: '40' }, { introduced: '30' }, { fixed: '20' }, { introduced: '0' }];
    expect(handles([15, 25, 35, 45], ...events)).toBe('15 yes, 25 no, 35 yes, 45 no');
  });

  test('a range that is never introduced holds nothing', () => {
    expect(verdictOf(1, { fixed: '5' })).toBe('no');
  });

  test('two changes in one event are both meant', () => {
    expect(handles([1, 5], { introduced: '0', fixed: '5' })).toBe('1 yes, 5 no');
  });
});

describe('M4: changes at one and the same version', () => {
  test('fixed and introduced again: the version is affected', () => {
    const events = [{ introduced: '0' }, { introduced: '5' }, { fixed: '5' }, { fixed: '9' }];
    expect(handles([4, 5, 8, 9], ...events)).toBe('4 yes, 5 yes, 8 yes, 9 no');
  });

  test('introduced and last affected: only this version is', () => {
    expect(handles([4, 5, 6], { last_affected: '5' }, { introduced: '5' })).toBe(
      '4 no, 5 yes, 6 no',
    );
  });

  test('last affected and introduced again while a window is open: the next one begins', () => {
    const events = [
      { introduced: '1' },
      { last_affected: '5' },
      { introduced: '5' },
      { fixed: '9' },
    ];
    expect(handles([4, 5, 6, 9], ...events)).toBe('4 yes, 5 yes, 6 yes, 9 no');
  });
});

describe('M43: introduced and fixed at one and the same version while no window is open', () => {
  test('hold nothing', () => {
    expect(handles([4, 5, 6], { introduced: '5' }, { fixed: '5' })).toBe('4 no, 5 no, 6 no');
    const closed = [{ introduced: '1' }, { fixed: '3' }, { introduced: '5' }, { fixed: '5' }];
    expect(handles([2, 4, 5, 6], ...closed)).toBe('2 yes, 4 no, 5 no, 6 no');
    const more = [...closed, { introduced: '7' }, { fixed: '9' }];
    expect(handles([6, 7, 9], ...more)).toBe('6 no, 7 yes, 9 no');
  });

  test('begin a window where the record has them the other way round', () => {
    expect(handles([4, 5, 6], { fixed: '5' }, { introduced: '5' })).toBe('4 no, 5 yes, 6 yes');
  });

  test('an open window ends and the next one begins, in whatever order the windows stand', () => {
    const windows = [{ introduced: '13' }, { fixed: '14' }, { introduced: '12' }, { fixed: '13' }];
    expect(handles([11, 12, 13, 14], ...windows)).toBe('11 no, 12 yes, 13 yes, 14 no');
  });
});

describe('M2: limits', () => {
  test('a version at or above every limit is not held', () => {
    expect(handles([1, 4, 5, 6], { introduced: '0' }, { limit: '3' }, { limit: '5' })).toBe(
      '1 yes, 4 yes, 5 no, 6 no',
    );
  });

  test('a star is no limit', () => {
    expect(verdictOf(99, { introduced: '0' }, { limit: '3' }, { limit: '*' })).toBe('yes');
  });

  test('an unreadable limit that decides makes the answer unknown', () => {
    expect(verdictOf(7, { introduced: '0' }, { limit: '5' }, { limit: 'x' })).toBe('unknown');
    expect(verdictOf(4, { introduced: '0' }, { limit: '5' }, { limit: 'x' })).toBe('yes');
    expect(verdictOf(7, { introduced: '8' }, { limit: 'x' })).toBe('no');
  });
});

describe('M10: a version that cannot be read', () => {
  test('is held by a range without end', () => {
    expect(verdictOf('x', { introduced: '0' })).toBe('yes');
    expect(verdictOf('x', { introduced: '0' }, { limit: '*' })).toBe('yes');
  });

  test.each<[string, OsvEvent[]]>([
    ['an end', [{ introduced: '0' }, { fixed: '5' }]],
    ['a last affected version', [{ introduced: '0' }, { last_affected: '5' }]],
    ['a limit', [{ introduced: '0' }, { limit: '5' }]],
    ['a beginning', [{ introduced: '5' }]],
  ])('is unknown in a range with %s', (_what, events) => {
    expect(verdictOf('x', ...events)).toBe('unknown');
  });
});

describe('M11: a change that cannot be read', () => {
  test('makes unknown what it could turn', () => {
    expect(verdictOf(7, { introduced: '0' }, { fixed: 'x' })).toBe('unknown');
    expect(verdictOf(7, { introduced: '0' }, { last_affected: 'x' })).toBe('unknown');
    expect(verdictOf(7, { introduced: 'x' }, { fixed: '9' })).toBe('unknown');
    expect(verdictOf(9, { introduced: '0' }, { fixed: '8' }, { introduced: 'x' })).toBe('unknown');
  });

  test('changes nothing where it could only say the same', () => {
    expect(verdictOf(9, { introduced: '0' }, { fixed: '8' }, { fixed: 'x' })).toBe('no');
    expect(verdictOf(7, { introduced: '0' }, { introduced: 'x' })).toBe('yes');
  });
});

describe('for any range', () => {
  const version = fc.oneof(fc.integer({ min: 0, max: 12 }).map(String), fc.constant('x'));
  const kind = fc.constantFrom('introduced', 'fixed', 'last_affected', 'limit');
  const event = fc.tuple(kind, version).map(([key, value]): OsvEvent => ({ [key]: value }));
  const events = fc.array(event, { maxLength: 7 });

  /** M43: only there the order says something. */
  const hasTie = (list: readonly OsvEvent[]): boolean =>
    list.some(({ introduced }) => introduced && list.some(({ fixed }) => fixed === introduced));

  test('the order of its events does not matter, but where one version is introduced and fixed', () => {
    const shuffled = events.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, version, ([list, other], at) => {
        fc.pre(!hasTie(list));
        expect(verdictOf(at, ...other)).toBe(verdictOf(at, ...list));
      }),
      { numRuns: 1000 },
    );
  });

  test('a definite answer stays, whatever the unreadable versions are in truth', () => {
    const truth = fc.integer({ min: 0, max: 12 }).map(String);
    fc.assert(
      fc.property(
        events,
        version,
        fc.array(truth, { minLength: 9, maxLength: 9 }),
        (list, at, xs) => {
          const before = verdictOf(at, ...list);
          fc.pre(before !== 'unknown');
          const known = list.map((entry, i) => {
            const [[key, value] = ['', '']] = Object.entries(entry);
            return { [key]: value === 'x' ? xs[i] : value };
          });
          expect(verdictOf(at === 'x' ? (xs[8] ?? '') : at, ...known)).toBe(before);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('windows that do not touch hold exactly what lies in them', () => {
    const window = fc.record({
      gap: fc.integer({ min: 2, max: 5 }),
      size: fc.integer({ min: 1, max: 5 }),
      inclusive: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(window, { maxLength: 5 }),
        fc.integer({ min: 0, max: 60 }),
        (list, at) => {
          let from = 0;
          let inside = false;
          const changes: OsvEvent[] = [];
          for (const { gap, size, inclusive } of list) {
            from += gap;
            const to = from + size;
            changes.push(
              { introduced: String(from) },
              inclusive ? { last_affected: String(to) } : { fixed: String(to) },
            );
            inside ||= at >= from && (inclusive ? at <= to : at < to);
            from = to;
          }
          expect(verdictOf(at, ...changes)).toBe(inside ? 'yes' : 'no');
        },
      ),
      { numRuns: 1000 },
    );
  });
});
