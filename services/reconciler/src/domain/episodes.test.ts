import {
  alertThresholds,
  severities,
  type AlertThreshold,
  type Severity,
} from '@bomtrail/messages';
import fc from 'fast-check';
import { episodeOf, episodesAfter, severitiesFrom, type EpisodeFacts } from './episodes';
import { show } from './show';
import { beginOf, isAt, rowStates, type RowState } from '../testing/naive-episodes';
import { observation } from './testing';
import type { RowStatus } from './types';

const first_seen_at = new Date(0).toISOString();

/** A row in some state, as a write hands it over: without episodes. */
function row(status: RowStatus, severity: Severity = 'high'): EpisodeFacts {
  const shown = show([{ ...observation('lodash@1.0.0 GHSA-1'), severity }]);
  return { status, shown, first_seen_at };
}

function rowIn(state: RowState): EpisodeFacts {
  return isSeverity(state) ? row('open', state) : row(state);
}

function isSeverity(state: RowState): state is Severity {
  return (severities as readonly string[]).includes(state);
}

/** What is stored after each of these writes, the first of which makes the row; by the second. */
function written(
  history: readonly RowState[],
  clock = (write: number) => write + 1,
): EpisodeFacts[] {
  const stored: EpisodeFacts[] = [];
  for (const [write, state] of history.entries()) {
    const next = rowIn(state);
    const now = new Date(clock(write) * 1000);
    stored.push({ ...next, episodes: episodesAfter(stored.at(-1), next, now) });
  }
  return stored;
}

/** The seconds of the moments after the last of these writes. */
function momentsAfter(...history: RowState[]): Record<string, number> {
  const { episodes = {} } = written(history).at(-1) ?? {};
  const seconds = Object.entries(episodes).map(([name, at]) => [name, Date.parse(at) / 1000]);
  return Object.fromEntries(seconds);
}

const episode = (stored: EpisodeFacts, threshold: AlertThreshold) =>
  Date.parse(episodeOf(stored, threshold).episode) / 1000;

describe('An episode', () => {
  test('begins for all thresholds that the row reaches when it is opened', () => {
    expect(momentsAfter('critical')).toEqual({ low: 1, medium: 1, high: 1, critical: 1, last: 1 });
    expect(momentsAfter('medium')).toEqual({ low: 1, medium: 1, last: 1 });
    expect(momentsAfter('unknown')).toEqual({ low: 1, last: 1 });
    expect(momentsAfter('none')).toEqual({});
  });

  test('is over when the row is fixed, accepted, merged or gone, and begins anew when it is back', () => {
    for (const state of ['fixed', 'accepted', 'merged', 'vanished'] as const) {
      expect(momentsAfter('high', state)).toEqual({ last: 1 });
      expect(momentsAfter('high', state, 'high')).toEqual({ low: 3, medium: 3, high: 3, last: 3 });
    }
  });

  test('does not begin with a row that is new and covered by an acceptance', () => {
    expect(momentsAfter('accepted')).toEqual({});
    expect(momentsAfter('accepted', 'high')).toEqual({ low: 2, medium: 2, high: 2, last: 2 });
  });

  test('goes on where a write changes something else', () => {
    expect(momentsAfter('high', 'high')).toEqual(momentsAfter('high'));
  });

  test('begins for the thresholds over which the severity was raised, and goes on for those below', () => {
    expect(momentsAfter('medium', 'critical')).toEqual({
      ...{ low: 1, medium: 1, high: 2, critical: 2, last: 2 },
    });
    expect(momentsAfter('none', 'low')).toEqual({ low: 2, last: 2 });
  });

  test('leaves its moment where the severity falls below its threshold, and begins anew with the next rise', () => {
    expect(momentsAfter('critical', 'medium')).toEqual(momentsAfter('critical'));
    expect(momentsAfter('critical', 'medium', 'critical')).toEqual({
      ...{ low: 1, medium: 1, high: 3, critical: 3, last: 3 },
    });
  });

  test('that begins ends those of higher thresholds which the row does not reach', () => {
    expect(momentsAfter('critical', 'medium', 'high')).toEqual({
      ...{ low: 1, medium: 1, high: 3, last: 3 },
    });
    expect(momentsAfter('critical', 'none', 'low')).toEqual({ low: 3, last: 3 });
  });

  test('has a moment of its own where two changes have the same time, or the clock goes back', () => {
    const atOnce = written(['high', 'fixed', 'high'], () => 5);
    expect(episode(atOnce[2] as EpisodeFacts, 'high')).toBe(5.001);
    const back = written(['high', 'accepted', 'high'], (write) => 100 - write);
    expect(episode(back[2] as EpisodeFacts, 'high')).toBe(100.001);
  });

  test('is told by that of a higher threshold within it, and not by one that was before', () => {
    const told = (...history: RowState[]) =>
      episodeOf(written(history).at(-1) as EpisodeFacts, 'medium').notified_by.map(
        (at) => Date.parse(at) / 1000,
      );
    expect(told('critical')).toEqual([1]);
    expect(told('medium', 'critical')).toEqual([1, 2]);
    expect(told('medium', 'critical', 'medium')).toEqual([1, 2]);
    expect(told('medium', 'critical', 'low', 'medium')).toEqual([4]);
  });
});

describe('A row of an earlier release', () => {
  const old = (status: RowStatus, severity?: Severity) => row(status, severity);
  const now = new Date(9000);

  test('is in an episode since it was first seen', () => {
    for (const threshold of alertThresholds)
      expect(episodeOf(old('open', 'critical'), threshold)).toEqual({
        ...{ episode: first_seen_at, notified_by: [first_seen_at] },
      });
  });

  test('keeps that when it is written, and is told anew only where something begins', () => {
    const same = episodesAfter(old('open', 'medium'), row('open', 'medium'), now);
    expect(same).toEqual({ low: first_seen_at, medium: first_seen_at, last: first_seen_at });
    const raised = episodesAfter(old('open', 'medium'), row('open', 'high'), now);
    const moment = now.toISOString();
    expect(raised).toEqual({ ...same, high: moment, last: moment });
    const later = { ...row('open', 'medium'), first_seen_at: now.toISOString() };
    expect(episodesAfter(old('open', 'medium'), later, now)).toEqual(same);
  });

  test('begins an episode when it is listed again, after whatever it had, also by a clock that is behind', () => {
    const closed = episodesAfter(old('open'), row('accepted'), new Date(-5000));
    const again = episodesAfter(
      { ...row('accepted'), episodes: closed },
      row('open'),
      new Date(-1),
    );
    expect(again.high).toBe(new Date(1).toISOString());
    expect(episodesAfter(old('fixed'), row('open'), new Date(-1)).high).toBe(again.high);
  });
});

test('A threshold takes what is at or above it, the lowest also what is unknown', () => {
  expect(severitiesFrom('critical')).toEqual(['critical']);
  expect(severitiesFrom('medium')).toEqual(['critical', 'high', 'medium']);
  expect(severitiesFrom('low').sort()).toEqual(['critical', 'high', 'low', 'medium', 'unknown']);
});

test('A row whose moments say nothing of a threshold that it reaches is told nevertheless', () => {
  const last = new Date(7).toISOString();
  for (const episodes of [{ last }, { last, critical: last }])
    expect(episodeOf({ ...row('open'), episodes }, 'high')).toEqual({
      episode: last,
      notified_by: [last],
    });
  const nothing = episodeOf({ ...row('open'), first_seen_at: null }, 'high');
  expect(nothing.episode).toBe(first_seen_at);
  const stopped = { ...row('open', 'critical'), episodes: { last } };
  expect(episodesAfter(stopped, row('open', 'critical'), new Date(8)).critical).toBe(
    new Date(8).toISOString(),
  );
});

const history = fc.array(fc.constantFrom(...rowStates), { minLength: 1, maxLength: 12 });
const clock = fc.constantFrom(
  (write: number) => write,
  () => 3,
  (write: number) => -write,
);

describe('Whatever a row goes through, by whatever clock,', () => {
  test('two looks see the same episode exactly where nothing has broken it between them', () => {
    fc.assert(
      fc.property(history, clock, fc.constantFrom(...alertThresholds), (given, by, threshold) => {
        const stored = written(given, by);
        const looks = given.flatMap((state, write) => (isAt(state, threshold) ? [write] : []));
        for (const one of looks)
          for (const other of looks) {
            const isSame =
              episodeOf(stored[one] as EpisodeFacts, threshold).episode ===
              episodeOf(stored[other] as EpisodeFacts, threshold).episode;
            const isUnbroken = beginOf(given, one, threshold) === beginOf(given, other, threshold);
            if (isSame !== isUnbroken) throw new Error(`${one} and ${other} of ${given.join()}`);
          }
      }),
    );
  });

  test('an episode is told by another one only where that was within it', () => {
    const pair = fc.tuple(fc.constantFrom(...alertThresholds), fc.constantFrom(...alertThresholds));
    fc.assert(
      fc.property(history, clock, pair, (given, by, [threshold, other]) => {
        const stored = written(given, by);
        for (const now of given.keys()) {
          if (!isAt(given[now], threshold)) continue;
          const { notified_by } = episodeOf(stored[now] as EpisodeFacts, threshold);
          for (let then = 0; then <= now; then++) {
            if (!isAt(given[then], other)) continue;
            const told = episodeOf(stored[then] as EpisodeFacts, other).episode;
            const isWithin = then >= beginOf(given, now, threshold);
            if (notified_by.includes(told) && !isWithin)
              throw new Error(`${other} at ${then}, ${threshold} at ${now} of ${given.join()}`);
          }
        }
      }),
    );
  });

  test('what is above a threshold now is told by the higher ones that it is in', () => {
    fc.assert(
      fc.property(history, clock, (given, by) => {
        const now = written(given, by).at(-1) as EpisodeFacts;
        const reached = alertThresholds.filter((threshold) => isAt(given.at(-1), threshold));
        for (const [index, threshold] of reached.entries()) {
          const higher = reached.slice(0, index).map((one) => episodeOf(now, one).episode);
          expect(episodeOf(now, threshold).notified_by).toEqual(expect.arrayContaining(higher));
        }
      }),
    );
  });
});
