import { eventually } from '@bomtrail/testkit';
import type { TestNotifier } from './start-notifier';

/** Waits until a condition holds; `what` names it in the error after the deadline. */
export const until = (what: string, check: () => boolean): Promise<void> =>
  eventually(() => void expect(check()).toBe(true), { what });

/** How often the rules of a project were checked so far. */
const checksOf = (notifier: TestNotifier, projectId: string): number =>
  notifier.reconciler.requested.states.filter((id) => id === projectId).length;

/** Waits until the rules of a project were checked twice more: the second check began after the first had ended. */
export async function checkedAgain(notifier: TestNotifier, projectId: string): Promise<void> {
  const before = checksOf(notifier, projectId);
  await until('further checks', () => checksOf(notifier, projectId) >= before + 3);
}

/** A project that the catalog knows, with one service. */
export function newSetup(notifier: TestNotifier) {
  const project_id = notifier.newProject();
  return { project_id, service: notifier.reconciler.newService(project_id) };
}

/** The ids of the vulnerabilities that a rule's messages named, message by message. */
export const notificationsOf = (notifier: TestNotifier, ruleId: string): string[][] =>
  notifier.sink
    .sentBy(ruleId)
    .map(({ digest }) => digest.top.map(({ vulnerability_id }) => vulnerability_id).sort());

/** The ids of rows, sorted as `notificationsOf` sorts. */
export const idsOf = (...rows: { id: string }[]): string[] => rows.map(({ id }) => id).sort();
