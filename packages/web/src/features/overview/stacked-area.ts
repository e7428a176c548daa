import { severities, type Severity } from '../../components/severity-order';

export type Counts = Record<Severity, number>;

/** One severity as a closed path in a box of `width` by `height`, with y downwards. */
export interface Area {
  severity: Severity;
  path: string;
}

/**
 * Counts of days as areas on top of each other, the worst at the bottom, where its own shape is
 * seen. Severities that never occur have no area.
 *
 * @param days at least two, evenly spaced
 */
export function stackedAreas(
  days: readonly Counts[],
  { width, height }: { width: number; height: number },
): Area[] {
  const highest = Math.max(1, ...days.map(totalOf));
  const x = (day: number) => round((day / (days.length - 1)) * width);
  const y = (count: number) => round(height - (count / highest) * height);
  let below = days.map(() => 0);
  return severities.flatMap((severity) => {
    if (days.every((day) => day[severity] === 0)) return [];
    const lower = below;
    const upper = days.map((day, at) => (lower[at] ?? 0) + day[severity]);
    below = upper;
    const there = upper.map((count, day) => `${x(day)},${y(count)}`);
    const back = lower.map((count, day) => `${x(day)},${y(count)}`).reverse();
    return [{ severity, path: `M${[...there, ...back].join('L')}Z` }];
  });
}

export function totalOf(counts: Counts): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
