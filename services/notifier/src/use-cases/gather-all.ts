import { gatherNew, type Gathered, type GatheredRule, type GatherDeps } from './gather-new';
import { gatherReminders, type GatherRemindersDeps, type RemindingRule } from './gather-reminders';
import type { ProjectStates } from './project-service-states';
import { servicesOfRule } from './services-of-rule';

export type GatherAllDeps = GatherDeps & GatherRemindersDeps;

/**
 * `remindersRead`: nothing that the rule reminds of was left out. `services`: number of those with its owner and
 * labels; null: it names neither.
 */
export type GatheredAll = Gathered & { remindersRead: boolean; services: number | null };

/**
 * Everything that a rule would send: what is new in its services, and what it reminds of. Writes
 * nothing.
 *
 * @param at `withReminders`: false leaves reminders out; `readable` leaves out those of services that
 *   cannot be asked
 * @throws AppError of a called service
 */
export async function gatherAll(
  deps: GatherAllDeps,
  rule: GatheredRule & RemindingRule,
  at: { project: ProjectStates; now: Date; withReminders: boolean | 'readable' },
): Promise<GatheredAll> {
  const own = await servicesOfRule(deps.request, rule);
  const states = at.project.states.filter(({ service_id }) => own?.has(service_id) ?? true);
  const services = own?.size ?? null;
  const news = { ...(await gatherNew(deps, rule, { ...at.project, states })), services };
  const { now, withReminders } = at;
  if (!withReminders) return { ...news, remindersRead: false };
  const mayMiss = withReminders === 'readable';
  const { reminders, unread } = await gatherReminders(deps, rule, { services: own, now, mayMiss });
  return { ...news, reminders, remindersRead: !unread };
}
