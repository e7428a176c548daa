import type { ServiceLevels, Severity } from '@bomtrail/messages';
import type { Span, Stretch } from './stretches';

/** Milliseconds. */
export const dayMs = 86_400_000;

/** What follows from the stretches of a project for one day (UTC). Severities without any are absent. */
export interface DayCounts {
  /** `2026-03-02`. */
  day: string;
  open: Counts;
  opened: Counts;
  fixed: Counts;
  accepted: Counts;
  overdue: Counts;
  /** Seconds from detection to fix of each stretch that was fixed on the day, ascending. */
  fix_seconds: Partial<Record<Severity, number[]>>;
  /** Since when the oldest open one is open, in milliseconds; null: none is open. */
  oldest: number | null;
}
export type Counts = Partial<Record<Severity, number>>;

/** The day of a time. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The days from one to another, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) days.push(dayOf(at));
  return days;
}

/**
 * When a stretch is due by the service levels; null without a level for its severity.
 *
 * @param from when it was detected, in milliseconds
 */
export function dueAt(
  from: number,
  severity: Severity,
  levels: ServiceLevels | null,
): number | null {
  const days = levels?.[severity] ?? null;
  return days === null ? null : from + days * dayMs;
}

/**
 * The statistics of consecutive days. They follow from the stretches alone, so that a delete, a late SBOM
 * or a late advisory changes the days that it concerns, and no other.
 *
 * - ST3 A vulnerability is open on a day if a stretch of it lasts beyond the end of the day (UTC) and no
 *   acceptance applies then; if one applies, it is accepted on that day.
 * - ST4 It is opened on the day on which a stretch begins, and fixed on the day on which one ends. A
 *   reopened vulnerability is opened again.
 * - ST5 The time to fix is that of the stretches that ended on the day, from detection. Without a time of
 *   detection there is none.
 * - ST6 Severities and service levels are those of today, for all days.
 * - ST7 An open vulnerability is overdue on a day if it was due before the end of the day. Without a time of
 *   detection it is never due.
 *
 * @param days consecutive, ascending
 */
export function dailyStatistics(
  stretches: readonly Stretch[],
  days: readonly string[],
  levels: ServiceLevels | null,
): DayCounts[] {
  const counts = days.map((day): DayCounts => {
    const none = { open: {}, opened: {}, fixed: {}, accepted: {}, overdue: {}, fix_seconds: {} };
    return { day, ...none, oldest: null };
  });
  const begin = Date.parse(days[0] ?? '');
  const indexOf = (time: number): number => Math.floor((time - begin) / dayMs);
  for (const stretch of stretches) {
    const { count, severity, from, to, isDetected } = stretch;
    const opened = counts[indexOf(from)];
    if (opened) increase(opened.opened, severity, count);
    const fixed = to === null ? undefined : counts[indexOf(to)];
    if (fixed && to !== null) {
      increase(fixed.fixed, severity, count);
      const seconds = Math.round((to - from) / 1000);
      for (let one = 0; isDetected && one < count; one++)
        (fixed.fix_seconds[severity] ??= []).push(seconds);
    }
    const due = isDetected ? dueAt(from, severity, levels) : null;
    const last = to === null ? counts.length : Math.min(counts.length, indexOf(to));
    for (let index = Math.max(0, indexOf(from)); index < last; index++) {
      const day = counts[index];
      const end = begin + (index + 1) * dayMs;
      if (!day) continue;
      if (isAccepted(stretch.accepted, end)) {
        increase(day.accepted, severity, count);
        continue;
      }
      increase(day.open, severity, count);
      if (due !== null && due < end) increase(day.overdue, severity, count);
      day.oldest = Math.min(day.oldest ?? from, from);
    }
  }
  for (const { fix_seconds } of counts)
    for (const seconds of Object.values(fix_seconds)) seconds.sort((a, b) => a - b);
  return counts;
}

function isAccepted(accepted: readonly Span[], end: number): boolean {
  return accepted.some(({ from, to }) => from < end && (to === null || to >= end));
}

function increase(counts: Counts, severity: Severity, by: number): void {
  counts[severity] = (counts[severity] ?? 0) + by;
}

/** Mean and median of times to fix, in seconds; null without any. */
export function fixTimes(
  seconds: readonly number[],
): { count: number; mean_seconds: number; median_seconds: number } | null {
  const sorted = [...seconds].sort((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) return null;
  const middle = count >> 1;
  const upper = sorted[middle] ?? 0;
  const median = count % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  const sum = sorted.reduce((total, one) => total + one, 0);
  return { count, mean_seconds: Math.round(sum / count), median_seconds: Math.round(median) };
}
