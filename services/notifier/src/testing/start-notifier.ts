import { randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, startService, type RunningService } from '@bomtrail/service-kit';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Collection } from 'mongodb';
import { compose } from '../compose';
import { settings } from '../config';
import type { AlertRuleDocument } from '../store/documents';

/** Processes of the notifier on real servers; the catalog is played by the test. */
export interface TestNotifier {
  servers: TestServers;
  bus: TestBus;
  rules: Collection<AlertRuleDocument>;
  /** Makes the catalog know a project, and gives its id. */
  newProject(): string;
  /** Runs each time after the catalog has said that a project exists, before the notifier hears it. */
  afterCatalogSaidYes: { run: () => Promise<void> };
  newRule(rule: Partial<messages.NewAlertRule>): Promise<messages.AlertRuleView>;
  update(alertId: string, changes: Partial<messages.NewAlertRule>): Promise<unknown>;
  list(asked?: {
    project_id?: string;
    page?: number;
    per_page?: number;
  }): Promise<messages.PageOf<messages.AlertRuleView>>;
  forget(projectId: string): Promise<messages.ForgetAnswer>;
  stop(): Promise<void>;
}

/** @param processes how many notifiers share the servers */
export async function startNotifier({ processes = 1 } = {}): Promise<TestNotifier> {
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const services: RunningService[] = [];
  for (let count = 0; count < processes; count++) {
    const service = await startService(
      { name: 'notifier', settings, compose },
      settings.parse({
        ...serviceSettings(servers),
      }),
    );
    services.push(service);
  }
  const projects = new Set<string>();
  const afterCatalogSaidYes = { run: async () => {} };
  bus.play(
    answers(messages.checkScope, async ({ project_id }) => {
      if (!projects.has(project_id)) throw new AppError('project_not_found');
      await afterCatalogSaidYes.run();
      return { body: { line_id: null } };
    }),
  );
  const mongo = await new MongoClient(servers.mongoUri).connect();
  return {
    ...{ servers, bus, afterCatalogSaidYes },
    rules: mongo.db(`${servers.prefix}notifier`).collection<AlertRuleDocument>('alert_rules'),
    newProject() {
      const projectId = randomUUID();
      projects.add(projectId);
      return projectId;
    },
    async newRule(rule) {
      return (await bus.request(messages.createAlertRule, { ...anyRule(), ...rule })).body;
    },
    update: (alert_id, changes) =>
      bus.request(messages.updateAlertRule, { alert_id, of_project: null, changes }),
    async list(asked = {}) {
      const page = { page: 1, per_page: 25, ...asked };
      return (await bus.request(messages.listAlertRules, page)).body;
    },
    async forget(project_id) {
      return (await bus.request(messages.forgetProject('notifier'), { project_id })).body;
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
