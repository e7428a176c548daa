import { randomUUID } from 'node:crypto';
import type { ExpiringKey } from '@bomtrail/messages';
import { startNotifier, type TestNotifier } from './start-notifier';

export const dayMs = 24 * 3_600_000;

/** The clock of the notifier of a test file: so many milliseconds ahead of that of the machine. */
export const clock = {
  ahead: 0,
  now: (): Date => new Date(Date.now() + clock.ahead),
};

/** A notifier that goes by `clock`, checks all the time and asks for reminders at each check. */
export function startByClock(): Promise<TestNotifier> {
  const times = { shortestMs: 100, longestMs: 200, giveUpMs: dayMs };
  return startNotifier({ instead: { checkSeconds: 0.05, times, remindMs: 0, now: clock.now } });
}

/** ISO 8601. */
export function inDays(days: number): string {
  return new Date(clock.now().getTime() + days * dayMs).toISOString();
}

/** An API key that expires in so many days. */
export function key(name: string, days: number): ExpiringKey {
  return { id: randomUUID(), prefix: 'abcdefghijkl', name, expires_at: inDays(days) };
}

/** `HH:MM` in UTC. */
export function timeOf(at: Date): string {
  return at.toISOString().slice(11, 16);
}
