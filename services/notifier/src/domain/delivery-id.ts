import { createHash } from 'node:crypto';
import type { Digest } from './digest';

/**
 * Identifies a message: equal for every attempt with the same alert periods, so that a receiver can
 * drop a duplicate (docs/rules.md AL7). Reveals nothing about them.
 */
export function deliveryId({ kind, rule, key, at }: Digest): string {
  const content = JSON.stringify([kind, rule.id, key ?? at]);
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
