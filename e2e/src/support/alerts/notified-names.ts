import type { AcceptedMail, AcceptedMessage } from '@bomtrail/testkit';

/**
 * The CVE ids that a message names, each once, whatever its channel: in text for people they may be escaped.
 */
export function namesIn(message: AcceptedMessage | AcceptedMail): string[] {
  const text = 'body' in message ? JSON.stringify(message.body) : message.text;
  return [...new Set(text.replaceAll('\\', '').match(/CVE-\d{4}-\d+/g) ?? [])].sort();
}

/** How often each id was told, over several messages. */
export function notificationCounts(
  messages: readonly (AcceptedMessage | AcceptedMail)[],
): Map<string, number> {
  const times = new Map<string, number>();
  for (const message of messages) {
    for (const name of namesIn(message)) times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}
