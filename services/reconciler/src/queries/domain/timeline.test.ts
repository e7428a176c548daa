import fc from 'fast-check';
import { recompute } from '../../tracking/domain/reconcile';
import { sbomVersion, factsOf } from '../../tracking/domain/testing';
import { decisionOn } from '../../tracking/domain/testing';
import type { TimedDecision } from '../../decisions/domain/decided-spans';
import { timelineOf, type Timeline } from './timeline';
import type { SbomVersion } from '../../tracking/domain/types';

const scans = { x: ['lodash@1.0.0 GHSA-1 CVE-1'], '.': ['axios@1.0.0 GHSA-2'] };

/** Minutes after the epoch, as the rules write a time. */
const minute = (count: number): string => new Date(count * 60_000).toISOString();

/** The SBOMs of a service, a letter each: `x` contains the vulnerability, `.` does not; the third is of minute 30. */
function versionsOf(story: string): SbomVersion[] {
  return [...story].map((letter, index) => ({
    ...sbomVersion(index + 1, letter),
    created_at: minute((index + 1) * 10),
  }));
}

/** An acceptance from a minute to another one; `end` null: it never expires. */
function given(id: string, from: number, end: number | null = null): TimedDecision {
  return {
    ...decisionOn(['GHSA-1'], { id, expires_at: end === null ? null : minute(end) }),
    created_at: minute(from),
    decided_at: minute(from),
    former: [],
    lapsed: false,
  };
}

interface Harness {
  sbomVersions: SbomVersion[];
  acceptances?: TimedDecision[];
  now?: number;
  lastIntervals?: number;
}

function timeline({
  sbomVersions,
  acceptances = [],
  now = 1_000,
  lastIntervals,
}: Harness): Timeline {
  const facts = factsOf(scans, { acceptances, now: minute(now) });
  const vulnerability = recompute(facts, sbomVersions).vulnerabilities.find(
    ({ origin }) => origin === 'GHSA-1',
  );
  if (!vulnerability) throw new Error('The story has no `x`.');
  const all = {
    service_id: 'service',
    vulnerability,
    sbomVersions: sbomVersions,
    acceptances,
    now: minute(now),
  };
  return timelineOf(all, lastIntervals);
}

/** `opened 10, accepted 15 a`: what happened, at which minute, by which acceptance. */
function reported(harness: Harness): string {
  const { events } = timeline(harness);
  return events
    .map((event) => {
      const at = Date.parse(event.at) / 60_000;
      return 'acceptance_id' in event
        ? `${event.event} ${at} ${event.acceptance_id}`
        : `${event.event} ${at}`;
    })
    .join(', ');
}

describe('the timeline of presence', () => {
  test.each([
    ['T1: the first SBOM that holds it opened it', '..xxx', 'opened 30'],
    ['T2: the first SBOM without it fixed it', 'xx..', 'opened 10, fixed 30'],
    [
      'T1: what comes back is reopened',
      'x.x.xx',
      'opened 10, fixed 20, reopened 30, fixed 40, reopened 50',
    ],
  ])('%s', (_title, story, expected) => {
    expect(reported({ sbomVersions: versionsOf(story) })).toBe(expected);
  });

  test('names the SBOMs, and counts how often it came back', () => {
    const { introduced_in, fixed_in, reopened, events } = timeline({
      sbomVersions: versionsOf('.x.xx.'),
    });
    expect([introduced_in.sbom_id, fixed_in?.sbom_id, reopened]).toEqual(['sbom-2', 'sbom-6', 1]);
    expect(events.map((event) => 'sbom_id' in event && event.sbom_id)).toEqual([
      'sbom-2',
      'sbom-3',
      'sbom-4',
      'sbom-6',
    ]);
  });

  test('T2: what was fixed once and is there again is fixed in nothing', () => {
    expect(timeline({ sbomVersions: versionsOf('x.x') })).toMatchObject({
      status: 'open',
      fixed_in: null,
    });
  });

  test('what is deleted is as if it had never been: the SBOM that brought it, that fixed it, that brought it back', () => {
    const sbomVersions = versionsOf('xx..x.');
    const without = (...seqs: number[]) => sbomVersions.filter(({ seq }) => !seqs.includes(seq));
    expect(reported({ sbomVersions })).toBe('opened 10, fixed 30, reopened 50, fixed 60');
    expect(reported({ sbomVersions: without(1) })).toBe(
      'opened 20, fixed 30, reopened 50, fixed 60',
    );
    expect(reported({ sbomVersions: without(3) })).toBe(
      'opened 10, fixed 40, reopened 50, fixed 60',
    );
    expect(reported({ sbomVersions: without(3, 4) })).toBe('opened 10, fixed 60');
    expect(reported({ sbomVersions: without(5) })).toBe('opened 10, fixed 30');
  });

  test('T5: the sequence counts where the clocks of two machines disagree', () => {
    const [first, second, third] = versionsOf('x.x') as [SbomVersion, SbomVersion, SbomVersion];
    const sbomVersions = [first, { ...second, created_at: minute(9) }, third];
    expect(reported({ sbomVersions })).toBe('opened 10, fixed 9, reopened 30');
    expect(reported({ sbomVersions, acceptances: [given('a', 5)] })).toBe(
      'opened 10, fixed 9, reopened 30, accepted 30 a',
    );
    const early = [
      first,
      { ...second, created_at: minute(20) },
      { ...third, created_at: minute(15) },
    ];
    expect(reported({ sbomVersions: early, acceptances: [given('a', 12, 18)] })).toBe(
      'opened 10, accepted 12 a, acceptance_expired 18 a, fixed 20, reopened 15',
    );
  });

  test('a long history can be limited to its last presence intervals', () => {
    const harness = { sbomVersions: versionsOf('x.x.x.x'), lastIntervals: 2 };
    expect(reported(harness)).toBe('reopened 50, fixed 60, reopened 70');
    expect(timeline(harness)).toMatchObject({ reopened: 3, introduced_in: { sbom_id: 'sbom-1' } });
  });
});

describe('the timeline of acceptances', () => {
  test.each<[title: string, story: string, acceptances: TimedDecision[], expected: string]>([
    ['T3: accepted when it was given', 'xx', [given('a', 15)], 'opened 10, accepted 15 a'],
    [
      'T3: what was given before covers from the start',
      '..x',
      [given('a', 5)],
      'opened 30, accepted 30 a',
    ],
    [
      'T3: it covers what comes back',
      'x.x',
      [given('a', 15)],
      'opened 10, accepted 15 a, fixed 20, reopened 30, accepted 30 a',
    ],
    [
      'T3: what is given while it is fixed tells nothing until it is back',
      'x..x',
      [given('a', 25)],
      'opened 10, fixed 20, reopened 40, accepted 40 a',
    ],
    [
      'T3, DC2: of several the one that decides is named',
      'x',
      [given('c', 12), given('a', 15), given('b', 12)],
      'opened 10, accepted 12 c',
    ],
    [
      'T3, DC2: of several that were given before the later one is named',
      'x',
      [given('a', 7), given('b', 5)],
      'opened 10, accepted 10 a',
    ],
    ['T4: expired', 'x', [given('a', 15, 18)], 'opened 10, accepted 15 a, acceptance_expired 18 a'],
    [
      'T4: an end that is still to come is none',
      'x',
      [given('a', 15, 1_001)],
      'opened 10, accepted 15 a',
    ],
    [
      'T4: an expiry while it is fixed tells nothing',
      'x..x',
      [given('a', 15, 35)],
      'opened 10, accepted 15 a, fixed 20, reopened 40',
    ],
    [
      'T4: as long as another one covers it nothing is told; the one that ended last is named',
      'x',
      [given('a', 15, 40), given('b', 20, 30), given('c', 35, 50)],
      'opened 10, accepted 15 a, acceptance_expired 50 c',
    ],
    [
      'T4: one that begins when the other ends leaves no gap',
      'x',
      [given('a', 15, 20), given('b', 20)],
      'opened 10, accepted 15 a',
    ],
    [
      'T4: accepted again after it had expired',
      'x',
      [given('a', 15, 20), given('b', 30)],
      'opened 10, accepted 15 a, acceptance_expired 20 a, accepted 30 b',
    ],
    [
      'DC2: another kind tells when it decides, and ends when the former decides again',
      'x',
      [given('a', 12), { ...given('b', 15, 20), decision: 'false_positive' }],
      'opened 10, accepted 12 a, false_positive 15 b, accepted 20 a',
    ],
    [
      'DC2: of two documents that with the later statement decides, whichever was imported first',
      'xx',
      [
        { ...given('v', 12), source: 'vex', decision: 'in_triage', decided_at: minute(9) },
        { ...given('w', 15), source: 'vex', decision: 'not_affected', decided_at: minute(8) },
      ],
      'opened 10, in_triage 12 v',
    ],
    [
      "DC2: a person's triage outweighs a document, which decides again afterwards",
      'x',
      [
        { ...given('v', 12), source: 'vex', decision: 'not_affected' },
        { ...given('p', 15, 20), decision: 'in_triage' },
      ],
      'opened 10, not_affected 12 v, in_triage 15 p, not_affected 20 v',
    ],
    [
      'a kind that was changed is told from the change on',
      'x',
      [{ ...given('a', 12), former: [{ decision: 'in_triage', until: minute(30) }] }],
      'opened 10, in_triage 12 a, accepted 30 a',
    ],
    ['one that had expired before it came is none', '...x', [given('a', 15, 20)], 'opened 40'],
  ])('%s', (...[_title, story, acceptances, expected]) => {
    expect(reported({ sbomVersions: versionsOf(story), acceptances })).toBe(expected);
  });

  test('T4: one whose end was noticed is over, also by a clock that is behind', () => {
    const acceptances = [{ ...given('a', 15, 40), lapsed: true }];
    const harness = { sbomVersions: versionsOf('x'), acceptances, now: 39 };
    expect(reported(harness)).toBe('opened 10, accepted 15 a, acceptance_expired 40 a');
    expect(timeline(harness)).toMatchObject({ status: 'open', activeDecisions: [] });
  });

  test.each([
    ['of another service', { services: ['other'] }],
    ['of other aliases', { identity: ['GHSA-2'] }],
  ])('R13: one %s is none', (_title, rest) => {
    const acceptances = [{ ...given('a', 15), ...rest }];
    expect(reported({ sbomVersions: versionsOf('x'), acceptances })).toBe('opened 10');
  });

  test('those that apply to it now are named, of a fixed one those that will when it comes back', () => {
    const acceptances = [given('a', 15), given('b', 15, 20), given('c', 5, 2_000)];
    for (const story of ['x', 'x.'])
      expect(timeline({ sbomVersions: versionsOf(story), acceptances }).activeDecisions).toEqual([
        'a',
        'c',
      ]);
  });
});

describe('whatever happens', () => {
  const minutes = fc.integer({ min: 0, max: 120 });
  const harnesses = fc.record({
    story: fc.array(fc.constantFrom('x', '.'), { minLength: 1, maxLength: 12 }),
    deleted: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
    acceptances: fc.array(
      fc.tuple(minutes, fc.option(fc.integer({ min: 1, max: 60 }), { nil: null })),
      { maxLength: 4 },
    ),
    now: fc.integer({ min: 120, max: 200 }),
  });
  const presence = { numRuns: Number(process.env['TIMELINE_INTERVALS'] ?? 500) };

  function harnessOf(
    drawn: typeof harnesses extends fc.Arbitrary<infer Drawn> ? Drawn : never,
  ): Harness {
    return {
      sbomVersions: versionsOf(drawn.story.join('')).filter(
        ({ seq }) => !drawn.deleted.includes(seq),
      ),
      acceptances: drawn.acceptances.map(([from, lasts], index) =>
        given(`acceptance-${index}`, from, lasts === null ? null : from + lasts),
      ),
      now: drawn.now,
    };
  }
  const holds = ({ sbomVersions }: Harness): boolean =>
    sbomVersions.some(({ digest }) => digest === 'x');

  const stateAfter = (event: string): string =>
    event === 'fixed' || event === 'accepted' ? event : 'open';

  /** Which events may follow an event. */
  const followers: Record<string, string[]> = {
    '': ['opened'],
    opened: ['accepted', 'fixed'],
    reopened: ['accepted', 'fixed'],
    acceptance_expired: ['accepted', 'fixed'],
    accepted: ['acceptance_expired', 'fixed'],
    fixed: ['reopened'],
  };

  test('events alternate, their times never go back, and the last one agrees with the state', () => {
    fc.assert(
      fc.property(harnesses, (drawn) => {
        const harness = harnessOf(drawn);
        fc.pre(holds(harness));
        const { events, status } = timeline(harness);
        let before = '';
        let at = '';
        for (const each of events) {
          expect(followers[before]).toContain(each.event);
          expect(each.at >= at).toBe(true);
          ({ event: before, at } = each);
        }
        expect(stateAfter(before)).toBe(status);
      }),
      presence,
    );
  });

  test('the state agrees with the vulnerability at every minute of the past, as far as acceptances were given by then', () => {
    fc.assert(
      fc.property(harnesses, minutes, (drawn, moment) => {
        const harness = harnessOf(drawn);
        fc.pre(holds(harness));
        const then = harness.sbomVersions.filter(({ created_at }) => created_at <= minute(moment));
        const acceptances = (harness.acceptances ?? []).filter(
          ({ created_at }) => created_at <= minute(moment),
        );
        const last = timeline(harness)
          .events.filter(({ at }) => at <= minute(moment))
          .at(-1);
        const facts = factsOf(scans, { acceptances, now: minute(moment) });
        const vulnerability = recompute(facts, then).vulnerabilities.find(
          ({ origin }) => origin === 'GHSA-1',
        );
        expect(last && stateAfter(last.event)).toBe(vulnerability?.status);
      }),
      presence,
    );
  });

  test('only the versions at which presence intervals start and end are needed', () => {
    fc.assert(
      fc.property(harnesses, (drawn) => {
        const harness = harnessOf(drawn);
        fc.pre(holds(harness));
        const { sbomVersions, acceptances = [], now = 0 } = harness;
        const facts = factsOf(scans, { acceptances, now: minute(now) });
        const vulnerability = recompute(facts, sbomVersions).vulnerabilities.find(
          ({ origin }) => origin === 'GHSA-1',
        );
        if (!vulnerability) throw new Error('Some SBOM holds it.');
        const needed = vulnerability.presence.flatMap(({ from, to }) => [
          sbomVersions.find(({ seq }) => seq === from),
          to === null ? undefined : sbomVersions.find(({ seq }) => seq > to),
        ]);
        const boundaries = needed.filter((each) => each !== undefined).reverse();
        const all = { service_id: 'service', vulnerability, acceptances, now: minute(now) };
        expect(timelineOf({ ...all, sbomVersions: boundaries })).toEqual(
          timelineOf({ ...all, sbomVersions }),
        );
      }),
      presence,
    );
  });
});
