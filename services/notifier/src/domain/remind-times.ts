/** Reminders are read once an hour: nothing runs out by the minute. */
const everyMs = 3_600_000;

/** A rule, as far as it decides whether to read again what it reminds of. */
interface AskedRule {
  _id: string;
  updated_at: Date | null;
  retry_state?: object | undefined;
}

/** When each rule last had nothing to remind of. */
export interface RemindTimes {
  /** AL12: at most once an hour, but at once after a change of the rule, and while a message is undelivered. */
  isDue(rule: AskedRule, now: Date): boolean;
  asked(rule: AskedRule, now: Date): void;
}

/** One per process: after a restart every rule is asked again. */
export function createRemindTimes(intervalMs = everyMs): RemindTimes {
  const times = new Map<string, { at: number; version: number }>();
  const versionOf = ({ updated_at }: AskedRule): number => updated_at?.getTime() ?? 0;
  return {
    isDue(rule, now) {
      const last = times.get(rule._id);
      if (!last || rule.retry_state !== undefined || last.version !== versionOf(rule)) return true;
      return Math.abs(now.getTime() - last.at) >= intervalMs;
    },
    asked(rule, now) {
      times.delete(rule._id);
      times.set(rule._id, { at: now.getTime(), version: versionOf(rule) });
      // The oldest first; those that are due anyway, such as of deleted rules, are forgotten.
      for (const [id, { at }] of times) {
        if (now.getTime() - at < intervalMs) break;
        times.delete(id);
      }
    },
  };
}
