import {
  createAlertRule,
  deleteAlertRule,
  type AlertThreshold,
  type NewAlertRule,
} from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startMailSink,
  startPagerDutyFake,
  startSignedWebhookFake,
  startSlackFake,
  startTeamsFake,
  startTestServers,
  type AcceptedMail,
  type AcceptedMessage,
  type TestBus,
} from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { startNotifierProcess, type Fault, type NotifierProcess } from './notifier-process';
import { fakeServiceStates, type FakeServiceState } from './fake-service-state';

/** For what happens at all: a busy machine takes many times what it usually takes. */
export const patienceMs = 120_000;

/** Where a rule tells: a channel of a fake, a mailbox, or the address of a webhook. */
export type Receiver = FakeReceiver | { mail: string } | { webhook: string };
export type FakeReceiver =
  | { slack: string }
  | { teams: string }
  | { signed: string }
  /** An integration key. */
  | { pagerduty: string };

/** The key of signed webhooks. */
const signingKey = `whsec_${'A'.repeat(32)}`;

/** Processes of the notifier on real servers and fake channels, with the other services played. */
export interface NotifierBench {
  bus: TestBus;
  /** The notifiers' own. */
  database: Db;
  newServiceState(): FakeServiceState;
  /** Gives the rule's id. A notifier must be running, or be about to. */
  newRule(state: FakeServiceState, to: Receiver, threshold?: AlertThreshold): Promise<string>;
  /** A rule that reminds, too. */
  newRemindingRule(state: FakeServiceState, to: Receiver): Promise<string>;
  deleteRules(ids: readonly string[]): Promise<void>;
  start(options?: { fault?: Fault; env?: Record<string, string> }): NotifierProcess;
  /** Ends all processes, and leaves no lease behind. */
  endAll(): Promise<void>;
  /** As if the time of every lease had passed. */
  expireLeases(): Promise<void>;
  /**
   * As if the minute had passed for which the database keeps a transaction whose process was killed. Everybody else's
   * transactions end too.
   */
  expireTransactions(): Promise<void>;
  /** Two more checks of a project: what the first one began is done before the second begins. */
  checkedAgain(state: FakeServiceState): Promise<void>;
  /** What a receiver has taken. */
  takenBy(receiver: FakeReceiver): AcceptedMessage[];
  /** What a channel of the fake Slack has taken. */
  inChannel(channel: string): AcceptedMessage[];
  toMailbox(address: string): AcceptedMail[];
  stop(): Promise<void>;
}

export async function startNotifierBench(): Promise<NotifierBench> {
  const [servers, slack, teams, signed, pagerduty, mail] = await Promise.all([
    startTestServers(),
    startSlackFake(),
    startTeamsFake(),
    startSignedWebhookFake({ secret: signingKey }),
    startPagerDutyFake(),
    startMailSink(),
  ]);
  const bus = await connectTestBus(servers.natsUrl);
  const states = fakeServiceStates(bus);
  const mongo = await new MongoClient(servers.mongoUri).connect();
  const database = mongo.db(`${servers.prefix}notifier`);
  const processes: NotifierProcess[] = [];
  const channels = {
    ALERT_ALLOW_PRIVATE_WEBHOOKS: 'true',
    LOG_LEVEL: 'fatal',
    // More than any of these tests sends: what they look at must not depend on it.
    ALERT_MESSAGES_PER_HOUR: '100000',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mail.port),
    SMTP_TLS: 'none',
    SMTP_FROM: 'alerts@example.org',
    ALERT_WEBHOOK_SECRET: signingKey,
    PAGERDUTY_EVENTS_URL: pagerduty.url(),
  };

  function wayTo(receiver: Receiver) {
    if ('mail' in receiver) {
      return { notification_type: 'email' as const, config: { recipients: [receiver.mail] } };
    }
    if ('teams' in receiver) {
      const webhook_url = teams.url(receiver.teams);
      return { notification_type: 'teams' as const, config: { webhook_url } };
    }
    if ('signed' in receiver) {
      const webhook_url = signed.url(receiver.signed);
      return { notification_type: 'webhook' as const, config: { webhook_url } };
    }
    if ('pagerduty' in receiver) {
      const config = { routing_key: receiver.pagerduty };
      return { notification_type: 'pagerduty' as const, config };
    }
    const webhook_url = 'slack' in receiver ? slack.url(receiver.slack) : receiver.webhook;
    return { notification_type: 'slack' as const, config: { webhook_url } };
  }

  function takenBy(receiver: FakeReceiver): AcceptedMessage[] {
    if ('pagerduty' in receiver) {
      const keyOf = ({ body }: AcceptedMessage) => (body as { routing_key: string }).routing_key;
      return pagerduty.accepted.filter((message) => keyOf(message) === receiver.pagerduty);
    }
    const [fake, name] =
      'slack' in receiver
        ? [slack, receiver.slack]
        : 'teams' in receiver
          ? [teams, receiver.teams]
          : [signed, receiver.signed];
    return fake.accepted.filter(({ channel }) => channel === name);
  }

  function createRule(rule: NewAlertRule): Promise<string> {
    return eventually(async () => (await bus.request(createAlertRule, rule)).body.id, {
      what: 'a notifier takes rules',
    });
  }

  async function expireLeases(): Promise<void> {
    const leases = database.collection('leases');
    await leases.updateMany({ expires_at: { $gt: new Date() } }, [
      { $set: { expires_at: { $subtract: ['$$NOW', 1] } } },
    ]);
  }

  return {
    bus,
    database,
    newServiceState: states.add,
    expireLeases,
    newRule: (state, to, severity_threshold = 'high') =>
      createRule({ project_id: state.projectId, severity_threshold, ...wayTo(to), enabled: true }),
    newRemindingRule(state, to) {
      const { notification_type, config } = wayTo(to);
      const project_id = state.projectId;
      const reminding = { ...config, reminders: true };
      const rule = { project_id, notification_type, config: reminding, enabled: true };
      return createRule({ ...rule, severity_threshold: 'high' });
    },
    async deleteRules(ids) {
      for (const alert_id of ids)
        await bus.request(deleteAlertRule, { alert_id, of_project: null });
    },
    start({ fault, env = {} } = {}) {
      const options = { env: { ...channels, ...env }, ...(fault ? { fault } : {}) };
      const one = startNotifierProcess(servers, options);
      processes.push(one);
      return one;
    },
    async expireTransactions() {
      await mongo.db('admin').command({ killAllSessions: [] });
    },
    async endAll() {
      await Promise.all(processes.splice(0).map((one) => one.end()));
      await expireLeases();
    },
    async checkedAgain(state) {
      const wanted = state.looks() + 2;
      await eventually(() => state.looks() >= wanted, {
        what: 'two more checks',
      });
    },
    takenBy,
    inChannel: (name) => takenBy({ slack: name }),
    toMailbox: (address) => mail.accepted.filter(({ recipients }) => recipients.includes(address)),
    async stop() {
      await Promise.all(processes.map((one) => one.end()));
      await Promise.all([mongo.close(), bus.close(), mail.stop()]);
      await Promise.all([slack, teams, signed, pagerduty].map((fake) => fake.stop()));
      await servers.stop();
    },
  };
}
