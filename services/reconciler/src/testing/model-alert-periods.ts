import { severities, type AlertThreshold, type Severity } from '@bomtrail/messages';
import type { TrackedStatus } from '../domain/types';

/** What a row is at one moment: a severity, listed with it; or a state in which it is not listed. */
export type VulnerabilityState = Severity | Exclude<TrackedStatus, 'open'>;

export const vulnerabilityStates: VulnerabilityState[] = [
  ...severities,
  'accepted',
  'fixed',
  'vanished',
  'merged',
];

const order: Partial<Record<VulnerabilityState, number>> = {
  critical: 4,
  high: 3,
  medium: 2,
  low: 1,
  unknown: 1,
};

/** Is a row in this state listed at or above a threshold? */
export function isAt(state: VulnerabilityState | undefined, threshold: AlertThreshold): boolean {
  return ((state && order[state]) ?? 0) >= (order[threshold] ?? 0);
}

/**
 * Which of several moments, in each of which the row was written, began the stretch without a break in
 * which one of them is.
 */
export function beginOf(
  history: readonly VulnerabilityState[],
  moment: number,
  threshold: AlertThreshold,
): number {
  let begin = moment;
  while (begin > 0 && isAt(history[begin - 1], threshold)) begin -= 1;
  return begin;
}
