import { eventually } from '@bomtrail/testkit';
import { randomUUID } from 'node:crypto';
import { checkedAgain, idsOf, newSetup, notificationsOf, until } from '../testing/checks';
import { fakeReminders, type FakeReminders } from '../testing/fake-reminders';
import { clock, dayMs, inDays, key, startByClock, timeOf } from '../testing/moved-clock';
import type { TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;
let fakes: FakeReminders;

beforeAll(async () => {
  notifier = await startByClock();
  fakes = fakeReminders(notifier.bus);
});
afterAll(() => notifier?.stop());
beforeEach(() => {
  clock.ahead = 0;
  fakes.decisions.clear();
  fakes.feeds = [];
  fakes.riskFeeds = [];
  fakes.vexSources = [];
  fakes.away.clear();
});

const remindedBy = (id: string) =>
  notifier.sink.sentBy(id).map(({ digest }) => digest.reminders?.first ?? []);

describe('AL12: a rule with reminders', () => {
  test('tells once of decisions, keys and service levels that run out', async () => {
    const { project_id, service } = newSetup(notifier);
    const vulnerability = {
      id: randomUUID(),
      service_id: service,
      severity: 'high' as const,
      cve_id: 'CVE-2026-1',
      package_name: 'lodash',
      package_version: '4.17.15',
      detected_at: inDays(-25),
    };
    const decision = { id: randomUUID(), source: 'manual' as const, service_ids: null };
    const about = { cve_id: 'CVE-2026-2', package_name: 'ws' };
    notifier.reconciler.levels.set(project_id, { high: 30, low: null });
    fakes.vulnerabilities.set(project_id, [
      vulnerability,
      { ...vulnerability, id: randomUUID(), detected_at: inDays(-1) },
    ]);
    fakes.decisions.set(project_id, [
      { ...decision, ...about, expires_at: inDays(6) },
      { ...decision, ...about, id: randomUUID(), expires_at: inDays(8) },
      { ...decision, ...about, id: randomUUID(), expires_at: inDays(-1) },
    ]);
    fakes.keys.set(project_id, [key('CI', 1), key('later', 30)]);
    fakes.keys.set('', [key('of no project', 1)]);
    const { id } = await notifier.newRule({ project_id, config: { reminders: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toHaveLength(1);
    expect(notifier.sink.sentBy(id)[0]?.digest).toMatchObject({
      total: 0,
      reminders: { total: 3 },
    });
    expect(remindedBy(id)[0]).toMatchObject([
      { kind: 'api_key', subject: 'CI', about: 'bt_abcdefghijkl' },
      { kind: 'service_level', subject: 'CVE-2026-1', about: 'lodash 4.17.15', severity: 'high' },
      { kind: 'decision', subject: 'CVE-2026-2', about: 'ws' },
    ]);
    expect(await notifier.deliveries.find({ rule_id: id }).toArray()).toMatchObject([
      { outcome: 'sent', total: 0, reminders: 3 },
    ]);
    // The end of the second decision comes near, too.
    clock.ahead = 2 * dayMs;
    await until('another message', () => notifier.sink.sentBy(id).length > 1);
    await checkedAgain(notifier, project_id);
    expect(remindedBy(id).slice(1)).toMatchObject([[{ kind: 'decision' }]]);
    await notifier.remove(id);
    expect(await notifier.db.collection('reminders').countDocuments({ rule_id: id })).toBe(0);
  });

  test('repeats a message that failed, and tells together with what is new', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    let failing = true;
    notifier.sink.answer(target, async () =>
      failing ? { kind: 'failed', reason: 'Nobody is there.' } : { kind: 'sent' },
    );
    fakes.keys.set(project_id, [key('CI', 1)]);
    const config = { target, reminders: true, reminder_days: 2 };
    const { id } = await notifier.newRule({ project_id, config });
    await until('attempts', () => notifier.sink.attemptsOf(id).length > 1);
    const row = notifier.reconciler.open(service, 'high');
    failing = false;
    await until(
      'both',
      () => notifier.sink.sentBy(id).flatMap(({ digest }) => digest.top).length > 0,
    );
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id).flat()).toEqual(idsOf(row));
    expect(remindedBy(id).flat()).toHaveLength(1);
  });

  test('tells once of a standing rule and of a bulk decision, however much they decide', async () => {
    const { project_id } = newSetup(notifier);
    const expires_at = inDays(6);
    const bulk = {
      source: 'manual' as const,
      service_ids: null,
      bulk_id: randomUUID(),
      reason: 'Not shipped.',
      cve_id: 'CVE-2026-1',
      expires_at,
    };
    fakes.decisions.set(project_id, [
      ...Array.from({ length: 450 }, () => ({ ...bulk, id: randomUUID() })),
      { ...bulk, id: randomUUID(), expires_at: inDays(5) },
      { id: randomUUID(), source: 'rule', service_ids: null, rule_name: 'Tests', expires_at },
      { id: randomUUID(), source: 'vex', service_ids: null, cve_id: 'CVE-2026-2', expires_at },
    ]);
    const { id } = await notifier.newRule({ project_id, config: { reminders: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(remindedBy(id).map((all) => all.map(({ kind, subject }) => [kind, subject]))).toEqual([
      [
        ['bulk_decision', 'Not shipped.'],
        ['bulk_decision', 'Not shipped.'],
        ['decision_rule', 'Tests'],
      ],
    ]);
    expect(await notifier.db.collection('reminders').countDocuments({ rule_id: id })).toBe(3);
  });

  test('tells of a decision behind many that ended', async () => {
    const { project_id } = newSetup(notifier);
    const decision = { source: 'manual' as const, service_ids: null, package_name: null };
    const ended = { ...decision, cve_id: 'CVE-2026-1', expires_at: inDays(-1) };
    fakes.decisions.set(project_id, [
      ...Array.from({ length: 20_000 }, () => ({ ...ended, id: randomUUID() })),
      { ...decision, id: randomUUID(), cve_id: 'CVE-2026-2', expires_at: inDays(1) },
    ]);
    const { id } = await notifier.newRule({ project_id, config: { reminders: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(remindedBy(id)).toMatchObject([[{ kind: 'decision', subject: 'CVE-2026-2' }]]);
  });

  test('and a digest tells of what runs out before the next one', async () => {
    const { project_id } = newSetup(notifier);
    fakes.keys.set(project_id, [key('CI', 1.5), key('later', 4)]);
    const at = timeOf(new Date(clock.now().getTime() + 2 * 60_000));
    const digest = { every: 'day', at, time_zone: 'UTC' };
    const config = { digest, reminders: true, reminder_days: 1 };
    const { id } = await notifier.newRule({ project_id, config });
    clock.ahead = 3 * 60_000;
    await until('the digest', () => notifier.sink.sentBy(id).length > 0);
    expect(remindedBy(id)).toMatchObject([[{ kind: 'api_key', subject: 'CI' }]]);
  });

  test('and a digest waits an hour for a service that is away, then it is sent without', async () => {
    const { project_id, service } = newSetup(notifier);
    const row = notifier.reconciler.open(service, 'high');
    fakes.feeds = [{ ecosystem: 'npm', data_status: 'feed_stale', as_of: inDays(-9) }];
    fakes.away.add('scanner');
    const at = timeOf(new Date(clock.now().getTime() + 2 * 60_000));
    const digest = { every: 'day', at, time_zone: 'UTC' };
    const { id } = await notifier.newRule({ project_id, config: { digest, installation: true } });
    clock.ahead = 3 * 60_000;
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toEqual([]);
    fakes.away.clear();
    await until('the digest', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
    expect(remindedBy(id)).toMatchObject([[{ kind: 'feed', subject: 'npm' }]]);
    fakes.away.add('scanner');
    const later = notifier.reconciler.open(service, 'high');
    clock.ahead += dayMs + 2 * 3_600_000;
    await until('the next digest', () => notifier.sink.sentBy(id).length > 1);
    expect(notificationsOf(notifier, id)[1]).toEqual(idsOf(later));
  });

  test('and a digest tells of the first thousand, and then of the others, not a day later', async () => {
    const { project_id } = newSetup(notifier);
    const decision = { source: 'manual' as const, service_ids: null, cve_id: 'CVE-2026-1' };
    const decisions = Array.from({ length: 1_001 }, () => {
      return { ...decision, id: randomUUID(), package_name: null, expires_at: inDays(5) };
    });
    fakes.decisions.set(project_id, decisions);
    const at = timeOf(new Date(clock.now().getTime() + 2 * 60_000));
    const digest = { every: 'day', at, time_zone: 'UTC' };
    const { id } = await notifier.newRule({ project_id, config: { digest, reminders: true } });
    clock.ahead = 3 * 60_000;
    await until('both messages', () => notifier.sink.sentBy(id).length > 1);
    expect(notifier.sink.sentBy(id).map((sent) => sent.digest.reminders?.total)).toEqual([1000, 1]);
  });

  test('of an owner tells of the decisions and vulnerabilities of its services', async () => {
    const { project_id, service } = newSetup(notifier);
    const other = notifier.reconciler.newService(project_id);
    const owner = `Team ${project_id}`;
    fakes.owned.set(owner, [service]);
    const decision = { source: 'manual' as const, cve_id: 'CVE-1', package_name: 'a' };
    fakes.decisions.set(project_id, [
      { ...decision, id: randomUUID(), service_ids: [other], expires_at: inDays(1) },
      { ...decision, id: randomUUID(), service_ids: [service, other], expires_at: inDays(2) },
      { ...decision, id: randomUUID(), service_ids: null, expires_at: inDays(3) },
    ]);
    const { id } = await notifier.newRule({ project_id, config: { owner, reminders: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(
      remindedBy(id)[0]?.map(({ at }) => Math.round((Date.parse(at) - Date.now()) / dayMs)),
    ).toEqual([2, 3]);
  });
});

describe('AL13: a rule for the installation', () => {
  test('tells once of a stale feed, and again when it is stale again', async () => {
    const { project_id } = newSetup(notifier);
    const stale = { ecosystem: 'npm', data_status: 'feed_stale' as const };
    fakes.feeds = [
      { ...stale, as_of: inDays(-3) },
      { ecosystem: 'PyPI', data_status: 'feed' },
    ];
    fakes.keys.set('', [key('of no project', 1)]);
    const { id } = await notifier.newRule({ project_id, config: { installation: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(remindedBy(id)).toMatchObject([[{ kind: 'feed', subject: 'npm' }]]);
    fakes.feeds = [{ ...stale, as_of: inDays(-2) }];
    await until('another message', () => notifier.sink.sentBy(id).length > 1);
    await notifier.update(id, { config: { installation: true, reminders: true } });
    await until('the key', () => notifier.sink.sentBy(id).length > 2);
    expect(remindedBy(id)[2]).toMatchObject([{ kind: 'api_key', subject: 'of no project' }]);
  });

  test('tells of a decision for all projects that ends, which the rule of a project does not', async () => {
    const { project_id } = newSetup(notifier);
    const decision = { source: 'manual' as const, service_ids: null, cve_id: 'CVE-2026-3' };
    const ends = { id: randomUUID(), package_name: 'ws', expires_at: inDays(2) };
    fakes.decisions.set('', [{ ...decision, ...ends }]);
    const reminders = true;
    const own = await notifier.newRule({ project_id, config: { reminders } });
    const { id } = await notifier.newRule({
      project_id,
      config: { installation: true, reminders },
    });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    const about = { subject: 'CVE-2026-3', about: 'all projects' };
    expect(remindedBy(id).flat()).toContainEqual(
      expect.objectContaining({ kind: 'decision', ...about, at: ends.expires_at }),
    );
    expect(notifier.sink.sentBy(own.id)).toEqual([]);
  });

  test('whose channel fails is undelivered since the first attempt', async () => {
    const { project_id } = newSetup(notifier);
    fakes.feeds = [{ ecosystem: 'npm', data_status: 'feed_stale', as_of: inDays(-3) }];
    notifier.sink.answer('away', async () => ({ kind: 'failed', reason: 'It is away.' }));
    const config = { installation: true, target: 'away' };
    const { id } = await notifier.newRule({ project_id, config });
    const failures = (count: number) =>
      eventually(
        async () => {
          const state = (await notifier.rules.findOne({ _id: id }))?.retry_state;
          expect(state?.failures).toBeGreaterThanOrEqual(count);
          return state;
        },
        { what: `${count} failures` },
      );
    const first = await failures(1);
    expect((await failures(3))?.undelivered_since).toEqual(first?.undelivered_since);
    notifier.sink.answer('away', async () => ({ kind: 'sent' }));
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
  });

  test('tells once of EPSS, KEV and VEX sources that are stale, and of none that is fresh or off', async () => {
    const { project_id } = newSetup(notifier);
    const epss = { feed: 'epss' as const, enabled: true, last_error: null };
    const source = { source: 'https://vendor.example/vex', last_error: null };
    const last_error = { message: 'away', at: inDays(-1) };
    fakes.riskFeeds = [
      { ...epss, as_of: inDays(-5) },
      { feed: 'kev', enabled: false, as_of: inDays(-9), last_error: null },
    ];
    fakes.vexSources = [
      { ...source, last_success_at: inDays(-3) },
      { source: '/vex/fresh', last_success_at: inDays(-1), last_error },
      { source: '/vex/never', last_success_at: null, last_error },
      { source: '/vex/not-yet', last_success_at: null, last_error: null },
    ];
    const { id } = await notifier.newRule({ project_id, config: { installation: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    const told = () => remindedBy(id).map((all) => all.map(({ subject }) => subject));
    expect(told()).toEqual([['EPSS', 'https://vendor.example/vex', '/vex/never']]);
    fakes.riskFeeds = [{ ...epss, as_of: inDays(-1) }];
    fakes.vexSources = [{ ...source, last_success_at: inDays(-2.5) }];
    await until('another message', () => notifier.sink.sentBy(id).length > 1);
    expect(told()[1]).toEqual(['https://vendor.example/vex']);
  });

  test('tells once of sources that are shown alike, and goes on', async () => {
    const { project_id, service } = newSetup(notifier);
    const last_error = { message: 'away', at: inDays(-1) };
    // Two branches of a repository: addresses are shown without their query.
    const source = { source: 'https://vendor.example/vex', last_success_at: null, last_error };
    fakes.vexSources = [source, source];
    const { id } = await notifier.newRule({ project_id, config: { installation: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    const row = notifier.reconciler.open(service, 'high');
    await until('another message', () => notifier.sink.sentBy(id).length > 1);
    await checkedAgain(notifier, project_id);
    expect(remindedBy(id)).toMatchObject([[{ kind: 'vex_source' }], []]);
    expect(notificationsOf(notifier, id)).toEqual([[], idsOf(row)]);
  });

  test('reports vulnerabilities while the scanner is away', async () => {
    const { project_id, service } = newSetup(notifier);
    fakes.away.add('scanner');
    fakes.feeds = [{ ecosystem: 'npm', data_status: 'feed_stale', as_of: inDays(-9) }];
    const row = notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id, config: { installation: true } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
    fakes.away.clear();
    await until('the feed', () => remindedBy(id).flat().length > 0);
    expect(notificationsOf(notifier, id).flat()).toEqual(idsOf(row));
  });
});
