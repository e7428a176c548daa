import type { AlertThreshold } from '@bomtrail/messages';

/** From the loosest to the strictest threshold. */
const thresholds: readonly AlertThreshold[] = ['critical', 'high', 'medium', 'low'];

/**
 * This threshold and the stricter ones.
 *
 * - G1 A gate that passes at a threshold is a baseline there and at every looser threshold.
 * - G2 A gate that fails at a threshold is no baseline there, nor at a stricter threshold.
 */
export function asStrictAs(threshold: AlertThreshold): AlertThreshold[] {
  return thresholds.slice(thresholds.indexOf(threshold));
}
