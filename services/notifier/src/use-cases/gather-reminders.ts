import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { Logger } from '@bomtrail/telemetry';
import {
  horizonOf,
  ofDecision,
  ofFeed,
  ofKey,
  ofRiskFeed,
  ofServiceLevel,
  ofVexSource,
  remindDaysOf,
  type Reminder,
} from '../domain/reminders';
import type { AlertRuleDocument } from '../store/documents';
import type { ReminderStore } from '../store/reminder-store';

/** Maximum reminders per message; the rest follows at the next check. */
export const maxReminders = 1_000;
/** Maximum decisions, and vulnerabilities, that are looked at for one rule. */
const mostRead = 20_000;
const perPage = 200;

export interface GatherRemindersDeps {
  reminders: Pick<ReminderStore, 'among'>;
  request: Request;
  log: Logger;
}

export type RemindingRule = Pick<AlertRuleDocument, '_id' | 'project_id' | 'options'>;

/** A reminder that a rule has not told, under its key for this rule. */
export interface NewReminder extends Omit<Reminder, 'key'> {
  _id: string;
}

/** `unread`: a service could not be asked. */
export interface GatheredReminders {
  reminders: NewReminder[];
  unread: boolean;
}

interface Look {
  rule: RemindingRule;
  days: number | null;
  /** Services of the rule; undefined: all of its project. */
  services: ReadonlySet<string> | undefined;
  now: Date;
}

/**
 * Finds what a rule reminds of and has not told yet (docs/rules.md AL12, AL13), at most
 * `maxReminders`. Writes nothing.
 *
 * @param at `mayMiss`: a service that cannot be asked leaves its reminders out
 * @throws AppError of a called service, unless `mayMiss`
 */
export async function gatherReminders(
  deps: GatherRemindersDeps,
  rule: RemindingRule,
  { services, now, mayMiss }: Pick<Look, 'services' | 'now'> & { mayMiss: boolean },
): Promise<GatheredReminders> {
  const { options } = rule;
  const days = options ? remindDaysOf(options) : null;
  const installation = options?.installation ?? false;
  const look: Look = { rule, days, services, now };
  const sources = [
    ...(days === null
      ? []
      : [serviceLevels, decisionsBy('manual'), decisionsBy('rule'), keysOf(rule.project_id)]),
    ...(days === null || !installation ? [] : [decisionsBy('manual', 'everywhere'), keysOf(null)]),
    ...(installation ? [feeds] : []),
  ];
  // By key, because each is stored once: what moves to the next page while it is read appears twice.
  const reminders = new Map<string, NewReminder>();
  let unread = false;
  for (const source of sources) {
    try {
      for await (const part of source(deps.request, look)) {
        for (const one of await newOnes(deps, rule, part)) reminders.set(one._id, one);
        if (reminders.size >= maxReminders) break;
      }
    } catch (error) {
      if (!mayMiss || !(error instanceof AppError)) throw error;
      unread = true;
      const about = { rule_id: rule._id, reason: error.message };
      deps.log.warn(about, 'What an alert rule reminds of could not be read; it is repeated.');
    }
  }
  return { reminders: [...reminders.values()].slice(0, maxReminders), unread };
}

async function newOnes(
  { reminders }: GatherRemindersDeps,
  rule: RemindingRule,
  found: readonly Reminder[],
): Promise<NewReminder[]> {
  const all = found.map(({ key, ...one }) => ({ ...one, _id: `${rule._id}:${key}` }));
  const told = await reminders.among(all.map(({ _id }) => _id));
  return all.filter(({ _id }) => !told.has(_id));
}

type Source = (request: Request, look: Look) => AsyncGenerator<Reminder[]>;

const serviceLevels: Source = async function* (request, { rule, days, services, now }) {
  const { project_id } = rule;
  const project = (await request(messages.getProject, { project_id, project_slug: null })).body;
  const service_levels = project.service_levels ?? {};
  const horizon = horizonOf(days ?? 0, now).getTime();
  const limits = messages.dueLimits([{ service_levels, project_ids: [project_id] }], horizon);
  if (limits.length === 0) return;
  const overdue = { is: true, limits };
  // The newest first: of more than are looked at, those that run out next; the older ones were told
  // when they did.
  const asked = { project_id, overdue, sort: 'first_seen_at', order: 'desc' } as const;
  for (let page = 1; page <= mostRead / perPage; page++) {
    const { body } = await request(messages.listActive, { ...asked, page, per_page: perPage });
    const own = body.items.filter(({ service_id }) => services?.has(service_id) ?? true);
    yield own.flatMap((one) => ofServiceLevel(one, messages.dueAt(one, service_levels), days ?? 0));
    if (page * perPage >= body.total) return;
  }
};

/** Decisions of people, or standing rules; `everywhere`: those for all projects, which no project lists (DC7). */
function decisionsBy(source: 'manual' | 'rule', everywhere?: 'everywhere'): Source {
  return async function* (request, { rule, days, services, now }) {
    const expires_before = horizonOf(days ?? 0, now).toISOString();
    // Those that ended stay listed, and may be many.
    const expires_after = now.toISOString();
    const { project_id } = rule;
    const of = everywhere ? { is_global: true } : { project_id };
    const asked = { ...of, source, expires_before, expires_after };
    for (let page = 1; page <= mostRead / perPage; page++) {
      const { body } = await request(messages.listAcceptances, {
        ...asked,
        page,
        per_page: perPage,
      });
      const own = body.items.filter(
        ({ service_ids }) =>
          !services || !service_ids || service_ids.some((id) => services.has(id)),
      );
      const found = own.flatMap((one) => ofDecision(one, days ?? 0, now));
      yield everywhere ? found.map((one) => ({ ...one, about: 'all projects' })) : found;
      if (page * perPage >= body.total) return;
    }
  };
}

function keysOf(project_id: string | null): Source {
  return async function* (request, { days, now }) {
    const before = horizonOf(days ?? 0, now).toISOString();
    const { body } = await request(messages.listExpiringKeys, { project_id, before });
    yield body.keys.map((key) => ofKey(key, days ?? 0));
  };
}

const feeds: Source = async function* (request, { now }) {
  const { body } = await request(messages.readFeeds, {});
  yield [
    ...body.feeds.flatMap((feed) => ofFeed(feed, now)),
    ...body.risk_feeds.flatMap((feed) => ofRiskFeed(feed, now)),
    ...body.vex_sources.flatMap((source) => ofVexSource(source, now)),
  ];
};
