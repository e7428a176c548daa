import { createKeyedMutex } from '@bomtrail/concurrency';
import { mergeIndexPlans } from '@bomtrail/mongo';
import type { Composition, Kit } from '@bomtrail/service-runtime';
import { createChannels } from './channels/create-channels';
import { channelSettings, type Settings } from './config';
import { attemptTimes, type AttemptTimes } from './domain/attempts';
import { findingsUrlOf } from './domain/findings-url';
import { createRemindTimes } from './domain/remind-times';
import { notifierSubscriptions } from './events/subscriptions';
import { createMetrics, watchUndelivered } from './metrics';
import { notifierHandlers } from './rpc/handlers';
import { startScheduler } from './scheduler/scheduler';
import { createTargetLanes } from './scheduler/target-lanes';
import { alertRuleIndexes, createAlertRuleStore } from './store/alert-rule-store';
import { createDeliveryStore, deliveryIndexes } from './store/delivery-store';
import { createRecordStore } from './store/record-store';
import { createReminderStore, reminderIndexes } from './store/reminder-store';
import { createSendBudget, sendBudgetIndexes } from './store/send-budget';
import { createNotificationStore, notificationIndexes } from './store/notification-store';
import { notifierSweeps } from './sweeps/sweeps';
import { createRecorder } from './use-cases/recorder';

/** Seconds until another process takes over after the checking process died. */
const leaseSeconds = 20;
/** Seconds of the shutdown grace reserved for closing connections. */
const closingSeconds = 3;

export type Parts = ReturnType<typeof partsOf>;

/** Replacements for tests. */
export interface Replacements {
  /** Wraps or replaces the parts that the transports and the scheduler use. */
  parts?: (parts: Parts) => Parts;
  leaseSeconds?: number;
  checkSeconds?: number;
  times?: AttemptTimes;
  now?: () => Date;
  /** Between two reads of what a rule reminds of. */
  remindMs?: number;
}

/** Builds the notifier. */
export function compose(kit: Kit, settings: Settings, instead: Replacements = {}): Composition {
  const own = partsOf(kit, settings);
  const parts = instead.parts?.(own) ?? own;
  const deps = {
    ...parts,
    leases: kit.leases,
    tracer: kit.tracer,
    checks: kit.checks,
    withKey: createKeyedMutex(),
    recorder: createRecorder({ records: parts.records, withKey: createKeyedMutex() }),
    lanes: createTargetLanes(),
    metrics: createMetrics(kit.registry),
    log: kit.log,
    findingsUrl: findingsUrlOf(settings),
    testsPerHour: settings.ALERT_TESTS_PER_HOUR,
    rulesPerProject: settings.ALERT_MAX_RULES_PER_PROJECT,
    times: instead.times ?? attemptTimes,
    now: instead.now ?? (() => new Date()),
    chance: Math.random,
    remindTimes: createRemindTimes(instead.remindMs),
  };
  watchUndelivered(kit.registry, deps.rules);
  return {
    indexes: mergeIndexPlans(
      alertRuleIndexes,
      notificationIndexes,
      deliveryIndexes,
      reminderIndexes,
      sendBudgetIndexes,
    ),
    rpc: notifierHandlers(deps),
    events: notifierSubscriptions(kit.registry),
    sweeps: notifierSweeps(deps),
    open: async () => {
      const scheduler = startScheduler(deps, {
        checkSeconds: instead.checkSeconds ?? settings.ALERT_CHECK_INTERVAL_SECONDS,
        leaseSeconds: instead.leaseSeconds ?? leaseSeconds,
        stopSeconds: Math.max(0, settings.SHUTDOWN_GRACE_SECONDS - closingSeconds),
      });
      return { close: () => scheduler.stop() };
    },
  };
}

/** Stores, channels and clients. */
function partsOf({ database, request }: Kit, settings: Settings) {
  return {
    rules: createAlertRuleStore(database),
    notifications: createNotificationStore(database),
    deliveries: createDeliveryStore(database),
    reminders: createReminderStore(database),
    records: createRecordStore(database),
    alertBudget: createSendBudget(database, { messages: settings.ALERT_MESSAGES_PER_HOUR }),
    testBudget: createSendBudget(database, { messages: settings.ALERT_TESTS_PER_HOUR }),
    channels: createChannels(channelSettings(settings)),
    request,
  };
}
