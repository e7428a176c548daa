import { eventually } from '@bomtrail/testkit';
import { createAlertRuleStore } from '../store/alert-rule-store';
import { createDeliveryStore } from '../store/delivery-store';
import { createReminderStore } from '../store/reminder-store';
import { createNotificationStore } from '../store/notification-store';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';
import { dropLeftovers } from './drop-leftovers';

let notifier: TestNotifier;

beforeAll(async () => {
  notifier = await startNotifier({ instead: { checkSeconds: 0.05 } });
});
afterAll(() => notifier?.stop());

const kept = () => [notifier.notifications, notifier.deliveries, notifier.marks];

/** A rule that has told something of a line. */
async function notifiedRule(project_id = notifier.newProject()) {
  const service = notifier.reconciler.newService(project_id);
  notifier.reconciler.open(service, 'high');
  const { id } = await notifier.newRule({ project_id });
  await eventually(
    async () => {
      for (const collection of kept())
        expect(await collection.countDocuments({ rule_id: id })).toBeGreaterThan(0);
    },
    { what: 'it has told' },
  );
  return { project_id, service, id };
}

async function counts(of: { rule_id: string } | { project_id: string }): Promise<number[]> {
  return Promise.all(kept().map((collection) => collection.countDocuments(of)));
}

function leftoversDeps() {
  const { db } = notifier;
  const database = { db, client: db.client, isUp: async () => true };
  return {
    rules: createAlertRuleStore(database),
    notifications: createNotificationStore(database),
    deliveries: createDeliveryStore(database),
    reminders: createReminderStore(database),
    request: notifier.bus.request,
  };
}

test('deleting a rule deletes its notifications', async () => {
  const { id } = await notifiedRule();
  await notifier.remove(id);
  expect(await counts({ rule_id: id })).toEqual([0, 0, 0]);
});

test('deleting a project deletes its notifications, including those of rules that moved away', async () => {
  const { project_id, id } = await notifiedRule();
  const other = notifier.newProject();
  await notifier.update(id, { project_id: other });
  expect(await notifier.deleteProject(project_id)).toEqual({ more: false });
  expect(await counts({ project_id })).toEqual([0, 0, 0]);
  expect(await notifier.rules.countDocuments({ _id: id })).toBe(1);
});

test('the sweep deletes data of deleted rules and services, and nothing else', async () => {
  const crashed = await notifiedRule();
  await notifier.rules.deleteOne({ _id: crashed.id });
  const serviceGone = await notifiedRule();
  const living = await notifiedRule(serviceGone.project_id);
  notifier.reconciler.dropService(serviceGone.service);
  const of = { rule_id: living.id, service_id: living.service };
  const before = await notifier.notifications.countDocuments(of);
  expect(await dropLeftovers(leftoversDeps())).toBe(2);
  expect(await counts({ rule_id: crashed.id })).toEqual([0, 0, 0]);
  expect(await notifier.notifications.countDocuments({ service_id: serviceGone.service })).toBe(0);
  expect(await notifier.notifications.countDocuments(of)).toBe(before);
});

test('a project without services in the reconciler keeps its notifications', async () => {
  const { id, service } = await notifiedRule();
  notifier.reconciler.dropService(service);
  await dropLeftovers(leftoversDeps());
  expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(1);
});

test('nothing is deleted while the reconciler does not respond', async () => {
  const { id } = await notifiedRule();
  notifier.reconciler.hooks.beforeServiceStates = async () => {
    throw new Error('away');
  };
  await expect(dropLeftovers(leftoversDeps())).rejects.toThrow();
  notifier.reconciler.hooks.beforeServiceStates = async () => {};
  expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(1);
});
