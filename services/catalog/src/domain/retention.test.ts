import fc from 'fast-check';
import { isExpired, retentionInForce, type Landmarks, type RetainableSbom } from './retention';

const now = new Date('2026-03-01T12:00:00.000Z');
const dayMs = 24 * 60 * 60 * 1000;

function sbom(
  seq: number,
  ageDays: number,
  scan_status: RetainableSbom['scan_status'] = 'scanned',
) {
  return { seq, created_at: new Date(now.getTime() - ageDays * dayMs), scan_status };
}

/** Said in other words than the rule: what stays of a whole log. */
function kept(
  log: readonly RetainableSbom[],
  { keep_last, keep_days }: { keep_last: number | null; keep_days: number | null },
): number[] {
  const newestFirst = [...log].sort((a, b) => b.seq - a.seq);
  if (keep_last === null && keep_days === null) return newestFirst.map(({ seq }) => seq);
  const stay = new Set<RetainableSbom>(newestFirst.slice(0, Math.max(1, keep_last ?? 0)));
  for (const one of log) {
    if (one.scan_status === 'pending') stay.add(one);
    if (keep_days !== null && one.created_at > new Date(now.getTime() - keep_days * dayMs)) {
      stay.add(one);
    }
  }
  const shown = newestFirst.find(({ scan_status }) => scan_status === 'scanned');
  if (shown) stay.add(shown);
  return newestFirst.filter((one) => stay.has(one)).map(({ seq }) => seq);
}

function landmarksOf(log: readonly RetainableSbom[], keep_last: number | null): Landmarks {
  const newestFirst = [...log].sort((a, b) => b.seq - a.seq);
  return {
    latest: newestFirst[0]?.seq ?? 0,
    scanned: newestFirst.find(({ scan_status }) => scan_status === 'scanned')?.seq ?? null,
    passed: null,
    oldestOfLast:
      keep_last !== null && newestFirst.length > keep_last
        ? (newestFirst[keep_last - 1]?.seq ?? null)
        : null,
  };
}

function left(
  log: readonly RetainableSbom[],
  retention: { keep_last: number | null; keep_days: number | null },
): number[] {
  const landmarks = landmarksOf(log, retention.keep_last);
  return log
    .filter((one) => !isExpired(one, landmarks, { retention, now }))
    .map(({ seq }) => seq)
    .sort((a, b) => b - a);
}

const bound = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null });
const retentions = fc.record({ keep_last: bound(12), keep_days: bound(31) });

describe('SBOMs that retention keeps', () => {
  const log = [sbom(1, 40), sbom(2, 30), sbom(5, 20), sbom(6, 10), sbom(9, 1)];

  test.each([
    [
      'K1: without any bound everything',
      log,
      { keep_last: null, keep_days: null },
      [9, 6, 5, 2, 1],
    ],
    ['K1: the last two', log, { keep_last: 2, keep_days: null }, [9, 6]],
    ['K1: what is younger than 25 days', log, { keep_last: null, keep_days: 25 }, [9, 6, 5]],
    ['K1: either of both', log, { keep_last: 4, keep_days: 15 }, [9, 6, 5, 2]],
    ['K1: either of both', log, { keep_last: 1, keep_days: 25 }, [9, 6, 5]],
    ['K1: all where there are not more', log, { keep_last: 5, keep_days: null }, [9, 6, 5, 2, 1]],
    ['K1: not what is exactly as old', log, { keep_last: null, keep_days: 20 }, [9, 6]],
    [
      'K2: the latest, however old',
      [sbom(1, 900), sbom(2, 800)],
      { keep_last: null, keep_days: 1 },
      [2],
    ],
    [
      'K3: what is pending, however old',
      [sbom(1, 900, 'pending'), sbom(2, 800), sbom(3, 700)],
      { keep_last: 1, keep_days: 1 },
      [3, 1],
    ],
    [
      'K4: what the lists stand on while newer ones are pending or failed',
      [sbom(1, 9), sbom(2, 8), sbom(3, 7, 'failed'), sbom(4, 6, 'failed'), sbom(5, 0, 'pending')],
      { keep_last: 1, keep_days: null },
      [5, 2],
    ],
  ] as const)('%s', (...[, sboms, retention, expected]) => {
    expect(left(sboms, retention)).toEqual(expected);
  });

  test('is what the rules say in other words, for any log', () => {
    const anyLog = fc
      .uniqueArray(
        fc.record({
          seq: fc.integer({ min: 1, max: 60 }),
          ageDays: fc.integer({ min: 0, max: 30 }),
          scan_status: fc.constantFrom('pending' as const, 'scanned' as const, 'failed' as const),
        }),
        { selector: ({ seq }) => seq, minLength: 1, maxLength: 25 },
      )
      .map((all) => all.map(({ seq, ageDays, scan_status }) => sbom(seq, ageDays, scan_status)));
    fc.assert(
      fc.property(anyLog, retentions, (some, retention) => {
        expect(left(some, retention)).toEqual(kept(some, retention));
      }),
      { numRuns: 2000 },
    );
  });

  test('is idempotent', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ages, retentions, (all, retention) => {
        const some = all.map((age, index) => sbom(index + 1, age));
        const once = left(some, retention);
        const again = some.filter(({ seq }) => once.includes(seq));
        expect(left(again, retention)).toEqual(once);
      }),
    );
  });
});

describe('the retention in force', () => {
  const off = { keep_last: null, keep_days: null };
  const five = { keep_last: 5, keep_days: null };

  test.each([
    ['the default where the project has none', null, five, five],
    ['the default where the project was made before there was one', undefined, five, five],
    [
      'the project’s own before the default',
      { keep_last: null, keep_days: 7 },
      five,
      { keep_last: null, keep_days: 7 },
    ],
    ['nothing where the project keeps everything', off, five, null],
    ['nothing where neither says anything', null, off, null],
  ] as const)('is %s', (...[, own, byDefault, expected]) => {
    expect(retentionInForce(own, byDefault)).toEqual(expected);
  });
});
