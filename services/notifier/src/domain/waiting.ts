import type { AlertOptions } from '@bomtrail/messages';
import { isQuiet, lastDigestAt } from './schedule';

/** More than clocks of processes differ. */
const wrongClockMs = 3_600_000;

/** A rule, as far as it decides when it sends. */
export interface TimedRule {
  options?: AlertOptions | undefined;
  created_at: Date;
  /** The last digest that was sent, or had nothing to say; absent: none. */
  digested_to?: Date | undefined;
  /** Alerts that were due are undelivered. */
  retry_state?: object | undefined;
}

/**
 * AL10, AL11: why a rule is not checked now; null: it is. What waits stays new and is in the next
 * message. A failed digest is repeated as any message.
 */
export function waitsFor(rule: TimedRule, now: Date): 'quiet_hours' | 'digest' | null {
  const { quiet_hours = null } = rule.options ?? {};
  if (quiet_hours && isQuiet(quiet_hours, now)) return 'quiet_hours';
  const due = dueDigest(rule, now);
  if (due === undefined || rule.retry_state !== undefined) return null;
  const served = rule.digested_to ?? rule.created_at;
  // A wrong clock stored a time ahead: the rule would be silent until then.
  const isWrong = served.getTime() - now.getTime() > wrongClockMs;
  return due > served || isWrong ? null : 'digest';
}

/** The digest that a check at this time serves; undefined: the rule has none. */
export function dueDigest({ options }: TimedRule, now: Date): Date | undefined {
  return options?.digest ? lastDigestAt(options.digest, now) : undefined;
}
