import type { Severity } from '@bomtrail/messages';
import { deliveryId } from '../../domain/delivery-id';
import type { Digest } from '../../domain/digest';
import { fitted, oneService, withoutAutolinks } from '../text/free-text';
import { moreThan, wordingOf, type ItemWording } from '../text/wording';

/** Endpoint of the Events API v2; accounts in Europe have events.eu.pagerduty.com. */
export const pagerDutyEventsUrl = 'https://events.pagerduty.com/v2/enqueue';

/**
 * Limits of the Events API v2 (developer.pagerduty.com, "Send an Alert Event"): an event has at
 * most 512 KB; texts are far below.
 */
export const pagerDutyLimits = { bytes: 512 * 1024, summary: 1024, dedupKey: 255, source: 255 };

/** UTF-16 units of a line in the details. */
const longestLine = 600;

export type PagerDutySeverity = 'critical' | 'error' | 'warning' | 'info';

/** The body of a post to `/v2/enqueue`. */
export interface PagerDutyEvent {
  routing_key: string;
  event_action: 'trigger';
  /**
   * Equal for every attempt: a repeated event opens no second incident. Per message, because PagerDuty notifies
   * nobody of an event that it adds to an open incident: with a key per rule new vulnerabilities would stay unseen,
   * with one per vulnerability a first check would page a thousand times.
   */
  dedup_key: string;
  client: 'bomtrail';
  client_url?: string;
  links?: [{ href: string; text: string }];
  payload: {
    summary: string;
    source: string;
    severity: PagerDutySeverity;
    timestamp: string;
    component: 'alert-rule';
    group: string;
    class: 'vulnerability';
    custom_details: Record<string, string | string[]>;
  };
}

/** Most severe first. An unknown severity may be any: it is no mere information. */
const mapping: readonly [Severity, PagerDutySeverity][] = [
  ['critical', 'critical'],
  ['high', 'error'],
  ['medium', 'warning'],
  ['unknown', 'warning'],
  ['low', 'info'],
  ['none', 'info'],
];

/** That of the most severe vulnerability; a reminder alone is a warning, a test is information. */
export function pagerDutySeverity({
  kind,
  counts,
  reminders,
}: Pick<Digest, 'kind' | 'counts' | 'reminders'>) {
  if (kind === 'test') return 'info';
  const least = reminders ? 'warning' : 'info';
  return mapping.find(([severity]) => (counts[severity] ?? 0) > 0)?.[1] ?? least;
}

/** A digest as one event. */
export function pagerDutyEvent(digest: Digest, routingKey: string): PagerDutyEvent {
  const words = wordingOf(digest);
  const counts = words.counts === '' ? '' : `: ${words.counts}`;
  const more = moreThan(words.items.length, digest.total);
  const link = words.link !== null && words.link.startsWith('https:') ? words.link : null;
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: `bomtrail-${deliveryId(digest)}`,
    client: 'bomtrail',
    ...(link === null
      ? {}
      : { client_url: link, links: [{ href: link, text: 'See all of them' }] }),
    payload: {
      summary: line(`${words.headline}${counts}`, pagerDutyLimits.summary),
      source: line(
        oneService(digest.project.name, 80) || digest.project.id,
        pagerDutyLimits.source,
      ),
      severity: pagerDutySeverity(digest),
      timestamp: digest.at,
      component: 'alert-rule',
      group: digest.project.id,
      class: 'vulnerability',
      custom_details: {
        vulnerabilities: words.items.map(itemLine),
        ...(more === undefined ? {} : { more }),
        ...(words.reminders.length === 0
          ? {}
          : { reminders: words.reminders.map((one) => line(one, longestLine)) }),
        ...(words.link === null ? {} : { list: words.link }),
        why: words.why,
      },
    },
  };
}

function itemLine(item: ItemWording): string {
  const parts = [
    `${item.severity} ${item.id}`,
    item.title,
    item.risk,
    `${item.package}: ${item.fix}`,
    `service ${item.service}`,
  ];
  return line(parts.filter((part) => part !== '').join(' · '), longestLine);
}

function line(text: string, most: number): string {
  return fitted(withoutAutolinks(text), most, (character) => character);
}
