import { sequence } from '@bomtrail/testkit';
import {
  recount,
  serviceOf,
  simulate,
  type NaiveDay,
  type SimulatedService,
  type Simulation,
} from '../../testing/simulated-year';
import { removeVersions } from '../../tracking/domain/remove-versions';
import { dailyStatistics, daysBetween, dayOf, fixTimes, type DayCounts } from './daily-statistics';
import { stretchesOf, type Stretch } from './stretches';

/** The whole: `BOMTRAIL_TEST_SIMULATED_SERVICES=200 BOMTRAIL_TEST_SIMULATED_DAYS=365`. */
const services = Number(process.env['BOMTRAIL_TEST_SIMULATED_SERVICES'] ?? 12);
const count = Number(process.env['BOMTRAIL_TEST_SIMULATED_DAYS'] ?? 60);

function stretchesOfService({ state, versions }: SimulatedService): Stretch[] {
  return state.vulnerabilities.flatMap(({ presence, snapshot }) =>
    stretchesOf(
      { count: 1, severity: snapshot?.severity ?? 'unknown', presence, accepted: [] },
      versions,
    ),
  );
}

function statisticsOf({ begin, end, services: all }: Simulation): DayCounts[] {
  const days = daysBetween(dayOf(begin), dayOf(end - 1));
  return dailyStatistics(all.flatMap(stretchesOfService), days, null);
}

/** The service after the delete of an SBOM, by the rules. */
function withoutUpload({ uploads, versions, state }: SimulatedService, gone: number) {
  const id = versions[gone]?.sbom_id ?? '';
  const { head, vulnerabilities } = removeVersions(state.vulnerabilities, versions, new Set([id]));
  return {
    uploads: uploads.filter((_, position) => position !== gone),
    versions: versions.filter(({ sbom_id }) => sbom_id !== id),
    state: { head, vulnerabilities },
  };
}

const comparable = ({ open, opened, fixed, fix_seconds }: DayCounts | NaiveDay) => {
  return { open, opened, fixed, fix_seconds };
};

describe(`the statistics of ${services} services over ${count} days`, () => {
  const simulation = simulate({ services, days: count, seed: 7 });
  const days = statisticsOf(simulation);

  test('equal a naive recount of what the lists showed', () => {
    expect(days.map(comparable)).toEqual(recount(simulation).map(comparable));
    expect(days.filter(({ fixed }) => Object.keys(fixed).length > 0).length).toBeGreaterThan(5);
  });

  test('change after a delete on exactly the days on which a recount does', () => {
    const draw = sequence(3);
    for (let round = 0; round < 20; round++) {
      const index = draw(simulation.services.length);
      const service = simulation.services[index] as SimulatedService;
      const gone = draw(service.uploads.length);
      const others = [...simulation.services];
      others[index] = withoutUpload(service, gone);
      const after = { ...simulation, services: others };
      expectSameDays(simulation, after);
    }
  });

  test('change by a late advisory on exactly the days on which a recount does, none of them before it', () => {
    const { begin, end } = simulation;
    const late = simulation.advisories.filter(({ from }) => from > begin).slice(0, 5);
    const moved = late.map((advisory) => {
      const advisories = simulation.advisories.filter((one) => one !== advisory);
      const services = simulation.services.map(({ uploads }) =>
        serviceOf(uploads, advisories, end),
      );
      const days = expectSameDays({ ...simulation, advisories, services }, simulation);
      const first = Math.floor((advisory.from - begin) / 86_400_000);
      expect(days.filter((day) => day < first)).toEqual([]);
      return days.length;
    });
    expect(Math.max(...moved)).toBeGreaterThan(5);
  });
});

/** Statistics and recount agree after a change, and about the days that it changed; gives these. */
function expectSameDays(before: Simulation, after: Simulation): number[] {
  const changedDays = (was: readonly object[], is: readonly object[]): number[] =>
    is.flatMap((day, at) => (JSON.stringify(day) === JSON.stringify(was[at]) ? [] : at));
  const [counted, shown] = [recount(after), statisticsOf(after)].map((all) => all.map(comparable));
  expect(shown).toEqual(counted);
  const moved = changedDays(recount(before).map(comparable), counted ?? []);
  expect(changedDays(statisticsOf(before).map(comparable), shown ?? [])).toEqual(moved);
  return moved;
}

const at = (text: string): number => Date.parse(`2026-03-${text}:00.000Z`);
const stretch = (from: string, to: string | null, rest: Partial<Stretch> = {}): Stretch => ({
  count: 1,
  severity: 'high',
  from: at(from),
  to: to === null ? null : at(to),
  isDetected: true,
  accepted: [],
  ...rest,
});
const march = daysBetween('2026-03-01', '2026-03-05');
const columnOf = (name: 'open' | 'opened' | 'fixed' | 'accepted' | 'overdue', ...all: Stretch[]) =>
  dailyStatistics(all, march, { high: 2 }).map((day) => day[name].high ?? 0);

describe('a vulnerability', () => {
  const one = stretch('02T10:00', '04T09:00');

  test('ST3 is open on the days at whose end the list shows it', () => {
    expect(columnOf('open', one)).toEqual([0, 1, 1, 0, 0]);
    expect(columnOf('open', stretch('02T10:00', '02T11:00'))).toEqual([0, 0, 0, 0, 0]);
  });

  test('ST3 is accepted instead while an acceptance applies at the end of the day', () => {
    const accepted = [{ from: at('02T12:00'), to: at('03T12:00') }];
    const both = stretch('02T10:00', null, { accepted });
    expect(columnOf('accepted', both)).toEqual([0, 1, 0, 0, 0]);
    expect(columnOf('open', both)).toEqual([0, 0, 1, 1, 1]);
  });

  test('ST4 is opened and fixed on the days of its stretch, also within one day', () => {
    expect([columnOf('opened', one), columnOf('fixed', one)]).toEqual([
      [0, 1, 0, 0, 0],
      [0, 0, 0, 1, 0],
    ]);
    const short = stretch('02T10:00', '02T11:00');
    expect([columnOf('opened', short), columnOf('fixed', short)]).toEqual([
      [0, 1, 0, 0, 0],
      [0, 1, 0, 0, 0],
    ]);
  });

  test('ST5 has a time to fix from its detection, if that is known', () => {
    const [, , , fixed] = dailyStatistics([one], march, null);
    expect(fixed?.fix_seconds).toEqual({ high: [47 * 3600] });
    const unknown = dailyStatistics([{ ...one, isDetected: false }], march, null)[3];
    expect(unknown?.fix_seconds).toEqual({});
  });

  test('ST7 is overdue from the day in which its service level ends', () => {
    expect(columnOf('overdue', stretch('01T10:00', null))).toEqual([0, 0, 1, 1, 1]);
    expect(columnOf('overdue', stretch('01T10:00', null, { severity: 'low' }))).toEqual([
      ...[0, 0, 0, 0, 0],
    ]);
  });

  test('ST7 is never due, as in its record, if the time of its detection is unknown', () => {
    const unknown = stretch('01T10:00', null, { isDetected: false });
    expect(columnOf('overdue', unknown)).toEqual([0, 0, 0, 0, 0]);
  });

  test('ST2 that no list showed before it was gone counts nowhere', () => {
    const versions = [1, 2].map((seq) => {
      const time = `2026-03-0${seq}T00:00:00.000Z`;
      return { seq, created_at: time, scanned_at: time };
    });
    const presence = [{ from: 1, to: 1, detected_at: '2026-03-03T00:00:00.000Z' }];
    const facts = { count: 1, severity: 'high' as const, presence, accepted: [] };
    expect(stretchesOf(facts, versions)).toEqual([]);
    const shown = { ...facts, presence: [{ from: 1, to: 1 }] };
    expect(stretchesOf(shown, versions)).toMatchObject([{ isDetected: false }]);
  });
});

test.each([
  [[], null],
  [[10], { count: 1, mean_seconds: 10, median_seconds: 10 }],
  [[40, 10, 20], { count: 3, mean_seconds: 23, median_seconds: 20 }],
  [[40, 10, 20, 30], { count: 4, mean_seconds: 25, median_seconds: 25 }],
])('the times to fix %j are %j', (seconds, expected) => {
  expect(fixTimes(seconds)).toEqual(expected);
});
