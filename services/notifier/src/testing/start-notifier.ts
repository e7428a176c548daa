import { randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { startService, type RunningService } from '@bomtrail/service-runtime';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { compose, type Replacements } from '../compose';
import { settings } from '../config';
import type {
  AlertRuleDocument,
  DeliveryDocument,
  MarkDocument,
  NotificationDocument,
} from '../store/documents';
import { fakeReconcilerService, type FakeReconciler } from './fake-reconciler';
import { createRecordingChannels, type RecordingChannels } from './recording-channels';

/** Processes of the notifier on real servers; catalog and reconciler are played by the test. */
export interface TestNotifier {
  servers: TestServers;
  bus: TestBus;
  db: Db;
  reconciler: FakeReconciler;
  /** What all processes send to, unless the test gives other parts. */
  sink: RecordingChannels;
  rules: Collection<AlertRuleDocument>;
  notifications: Collection<NotificationDocument>;
  marks: Collection<MarkDocument>;
  deliveries: Collection<DeliveryDocument>;
  /** Makes the catalog know a project, and gives its id. */
  newProject(): string;
  /** Runs each time after the catalog has said that a project exists, before the notifier hears it. */
  afterCatalogSaidYes: { run: () => Promise<void> };
  newRule(rule: Partial<messages.NewAlertRule>): Promise<messages.AlertRuleView>;
  update(alertId: string, changes: Partial<messages.NewAlertRule>): Promise<unknown>;
  list(query?: {
    project_id?: string;
    page?: number;
    per_page?: number;
    alert_id?: string;
  }): Promise<messages.PageOf<messages.AlertRuleView>>;
  remove(alertId: string): Promise<unknown>;
  deleteProject(projectId: string): Promise<messages.DeletionProgress>;
  /** One more process. */
  start(instead?: Replacements): Promise<RunningService>;
  /** A metric as the first process gives it. */
  metric(service: string): Promise<number>;
  stop(): Promise<void>;
}

/** @param processes how many notifiers share the servers; `instead`: what is other in each of them */
export async function startNotifier({
  processes = 1,
  instead = {},
}: { processes?: number; instead?: Replacements } = {}): Promise<TestNotifier> {
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const services: RunningService[] = [];
  const sink = createRecordingChannels();
  const toSink: Replacements['parts'] = (parts) => ({ ...parts, channels: sink.channels });

  const start = async (other: Replacements = instead): Promise<RunningService> => {
    const parts: Replacements['parts'] = (own) => other.parts?.(toSink(own)) ?? toSink(own);
    const definition = {
      name: 'notifier' as const,
      settings,
      compose: (...given: Parameters<typeof compose>) =>
        compose(given[0], given[1], { ...other, parts }),
    };
    const service = await startService(definition, settings.parse(serviceSettings(servers)));
    services.push(service);
    return service;
  };
  const reconciler = fakeReconcilerService(bus);
  for (let count = 0; count < processes; count++) await start();
  const afterCatalogSaidYes = { run: async () => {} };
  reconciler.hooks.afterCheckScope = () => afterCatalogSaidYes.run();
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const db = mongo.db(`${servers.prefix}notifier`);
  return {
    servers,
    bus,
    db,
    reconciler,
    sink,
    start,
    afterCatalogSaidYes,
    rules: db.collection<AlertRuleDocument>('alert_rules'),
    notifications: db.collection<NotificationDocument>('notifications'),
    marks: db.collection<MarkDocument>('marks'),
    deliveries: db.collection<DeliveryDocument>('deliveries'),
    newProject: reconciler.newProject,
    async newRule(rule) {
      return (await bus.request(messages.createAlertRule, { ...anyRule(), ...rule })).body;
    },
    update: (alert_id, changes) =>
      bus.request(messages.updateAlertRule, { alert_id, of_project: null, changes }),
    async list(query = {}) {
      const page = { page: 1, per_page: 25, ...query };
      return (await bus.request(messages.listAlertRules, page)).body;
    },
    remove: (alert_id) => bus.request(messages.deleteAlertRule, { alert_id, of_project: null }),
    async deleteProject(project_id) {
      return (await bus.request(messages.deleteProjectData('notifier'), { project_id })).body;
    },
    async metric(service) {
      const answer = await fetch(`http://127.0.0.1:${services[0]?.internalPort}/metrics`);
      const found = (await answer.text()).split('\n').find((one) => one.startsWith(service));
      return Number(found?.split(' ').at(-1));
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await bus.close();
      await mongo.close();
      await servers.stop();
    },
  };
}

function anyRule(): messages.NewAlertRule {
  return {
    project_id: randomUUID(),
    severity_threshold: 'high',
    notification_type: 'email',
    config: {},
    enabled: true,
  };
}
