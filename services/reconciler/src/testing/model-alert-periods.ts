import { severities, type AlertThreshold, type Severity } from '@bomtrail/messages';
import type { TrackedStatus } from '../tracking/domain/types';

/** The state of a vulnerability: a severity if it is open, else its status. */
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

/** Whether a vulnerability in this state is open at or above a threshold. */
export function isAt(state: VulnerabilityState | undefined, threshold: AlertThreshold): boolean {
  return ((state && order[state]) ?? 0) >= (order[threshold] ?? 0);
}

/** The index of the write that started the alert period of write `moment`. */
export function beginOf(
  history: readonly VulnerabilityState[],
  moment: number,
  threshold: AlertThreshold,
): number {
  let begin = moment;
  while (begin > 0 && isAt(history[begin - 1], threshold)) begin -= 1;
  return begin;
}
