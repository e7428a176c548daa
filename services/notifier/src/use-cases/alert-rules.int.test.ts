import { noOptions } from '../domain/alert-options';
import { randomUUID } from 'node:crypto';
import { deleteAlertRule, updateAlertRule } from '@bomtrail/messages';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;

beforeAll(async () => {
  notifier = await startNotifier({ processes: 2 });
});
afterAll(() => notifier?.stop());
beforeEach(() => {
  notifier.afterCatalogSaidYes.run = async () => {};
});

const notFound = { code: 'alert_rule_not_found' };
const noProject = { code: 'project_not_found' };

function remove(alert_id: string, of_project: string | null = null) {
  return notifier.bus.request(deleteAlertRule, { alert_id, of_project });
}

describe('an alert rule', () => {
  test('is stored unchanged, and returned without its config', async () => {
    const project_id = notifier.newProject();
    const fields = { severity_threshold: 'low', notification_type: 'discord' } as const;
    const config = { webhook_url: 'https://chat.example.org/hook/secret' };
    const rule = await notifier.newRule({ project_id, ...fields, config, enabled: false });
    expect(rule).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      by_severity: true,
      kev: false,
      min_epss: null,
      options: noOptions,
      project_id,
      ...fields,
      enabled: false,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await notifier.list({ project_id })).items).toEqual([rule]);
    const stored = await notifier.rules.findOne({ _id: rule.id });
    expect(JSON.parse(stored?.config ?? '')).toEqual(config);
    expect(stored?.updated_at).toBeNull();
  });

  test('accepts any property names in its config', async () => {
    const project_id = notifier.newProject();
    const config = {
      $where: 1,
      'a.b': { $set: {}, '': [null, 'x\u0000', '\ud800'] },
      'n\u0000': 2,
    };
    const { id } = await notifier.newRule({ project_id, config });
    const stored = await notifier.rules.findOne({ _id: id });
    expect(JSON.parse(stored?.config ?? '')).toEqual(config);
    await notifier.update(id, { config: { 'c.$': 3 } });
    const changed = await notifier.rules.findOne({ _id: id });
    expect(JSON.parse(changed?.config ?? '')).toEqual({ 'c.$': 3 });
  });

  test('may have a config as large as a request', async () => {
    const config = { note: 'ü'.repeat(500_000) };
    const { id } = await notifier.newRule({ project_id: notifier.newProject(), config });
    const stored = await notifier.rules.findOne({ _id: id });
    expect(JSON.parse(stored?.config ?? '')).toEqual(config);
  });

  test('of a project that does not exist is refused, and nothing is left', async () => {
    const project_id = randomUUID();
    await expect(notifier.newRule({ project_id })).rejects.toMatchObject(noProject);
    expect(await notifier.rules.countDocuments({ project_id })).toBe(0);
  });
});

describe('the list of rules', () => {
  test('is newest first, ties by id, page by page', async () => {
    const project_id = notifier.newProject();
    const made = [];
    for (let count = 0; count < 5; count++) made.push(await notifier.newRule({ project_id }));
    const moment = new Date('2030-01-01T00:00:00Z');
    const tied = made.slice(1, 4).map(({ id }) => id);
    await notifier.rules.updateMany({ _id: { $in: tied } }, { $set: { created_at: moment } });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => notifier.list({ project_id, page, per_page: 2 })),
    );
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([
      ...tied.sort(),
      ...[made[4]?.id, made[0]?.id],
    ]);
  });

  test('has the rules of all projects, or of one', async () => {
    const [one, other] = [notifier.newProject(), notifier.newProject()];
    const first = await notifier.newRule({ project_id: one });
    const second = await notifier.newRule({ project_id: other });
    const all = (await notifier.list({ per_page: 200 })).items;
    expect(all.slice(-50)).toEqual(expect.arrayContaining([first, second]));
    expect(await notifier.list({ project_id: other })).toEqual({ items: [second], total: 1 });
    expect(await notifier.list({ project_id: randomUUID() })).toEqual({ items: [], total: 0 });
  });

  test('has the rule that is asked for, where it is', async () => {
    const project_id = notifier.newProject();
    const rule = await notifier.newRule({ project_id });
    const only = { items: [rule], total: 1 };
    expect(await notifier.list({ alert_id: rule.id })).toEqual(only);
    expect(await notifier.list({ alert_id: rule.id, project_id })).toEqual(only);
    const elsewhere = { alert_id: rule.id, project_id: notifier.newProject() };
    expect(await notifier.list(elsewhere)).toEqual({ items: [], total: 0 });
  });
});

describe('a change of a rule', () => {
  test('changes what is given and nothing else', async () => {
    const project_id = notifier.newProject();
    const rule = await notifier.newRule({ project_id, config: { recipients: ['a@example.org'] } });
    await notifier.update(rule.id, { enabled: false, severity_threshold: 'critical' });
    const changed = { ...rule, enabled: false, severity_threshold: 'critical' };
    expect((await notifier.list({ project_id })).items).toEqual([changed]);
    const stored = await notifier.rules.findOne({ _id: rule.id });
    expect(stored?.config).toBe('{"recipients":["a@example.org"]}');
    expect(stored?.updated_at).toBeInstanceOf(Date);
  });

  test('of nothing leaves the rule untouched', async () => {
    const { id } = await notifier.newRule({ project_id: notifier.newProject() });
    const before = await notifier.rules.findOne({ _id: id });
    await notifier.update(id, {});
    expect(await notifier.rules.findOne({ _id: id })).toEqual(before);
  });

  test('takes the rule to another project, unless that does not exist', async () => {
    const [from, to] = [notifier.newProject(), notifier.newProject()];
    const { id } = await notifier.newRule({ project_id: from });
    await expect(notifier.update(id, { project_id: randomUUID() })).rejects.toMatchObject(
      noProject,
    );
    await notifier.update(id, { project_id: to });
    expect(await notifier.list({ project_id: from })).toMatchObject({ total: 0 });
    expect(await notifier.list({ project_id: to })).toMatchObject({ items: [{ id }], total: 1 });
  });

  test.each([{}, { enabled: false }])('of an unknown rule is refused (%j)', async (changes) => {
    await expect(notifier.update(randomUUID(), changes)).rejects.toMatchObject(notFound);
  });
});

describe('a rule requested within a project', () => {
  test('is neither changed nor deleted in another', async () => {
    const [own, foreign] = [notifier.newProject(), notifier.newProject()];
    const { id } = await notifier.newRule({ project_id: own });
    for (const changes of [{}, { enabled: false }]) {
      const query = { alert_id: id, of_project: foreign, changes };
      await expect(notifier.bus.request(updateAlertRule, query)).rejects.toMatchObject(notFound);
    }
    await expect(remove(id, foreign)).rejects.toMatchObject(notFound);
    expect(await notifier.list({ project_id: own })).toMatchObject({ items: [{ enabled: true }] });
    await notifier.bus.request(updateAlertRule, {
      alert_id: id,
      of_project: own,
      changes: { enabled: false },
    });
    expect(await notifier.list({ project_id: own })).toMatchObject({ items: [{ enabled: false }] });
    await remove(id, own);
    expect(await notifier.list({ project_id: own })).toMatchObject({ total: 0 });
  });
});

test('of twenty parallel deletes of one rule one succeeds, the others find none', async () => {
  const { id } = await notifier.newRule({ project_id: notifier.newProject() });
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => remove(id)));
  const refused = tries.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
  );
  expect(refused).toEqual(Array(19).fill('alert_rule_not_found'));
});

test('thirty rules made in one project at once are thirty', async () => {
  const project_id = notifier.newProject();
  await Promise.all(Array.from({ length: 30 }, () => notifier.newRule({ project_id })));
  expect(await notifier.list({ project_id })).toMatchObject({ total: 30 });
});

describe('a project has 50 rules at most', () => {
  const refused = { code: 'too_many_alert_rules', message: expect.stringContaining('50') };

  /** A project with so many rules, stored as if they had been made. */
  async function projectWith(count: number) {
    const project_id = notifier.newProject();
    const { id } = await notifier.newRule({ project_id });
    const made = await notifier.rules.findOne({ _id: id });
    if (made === null) throw new Error('The rule was not stored.');
    const others = Array.from({ length: count - 1 }, () => ({ ...made, _id: randomUUID() }));
    await notifier.rules.insertMany(others);
    return { project_id, id };
  }

  test('however many are made and moved there at once, by whichever process', async () => {
    const { project_id } = await projectWith(46);
    const elsewhere = notifier.newProject();
    const moved = [];
    for (let count = 0; count < 4; count++)
      moved.push((await notifier.newRule({ project_id: elsewhere })).id);
    const tries = await Promise.allSettled([
      ...Array.from({ length: 8 }, () => notifier.newRule({ project_id })),
      ...moved.map((id) => notifier.update(id, { project_id })),
    ]);
    const failed = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failed).toHaveLength(8);
    for (const reason of failed) expect(reason).toMatchObject(refused);
    expect(await notifier.list({ project_id })).toMatchObject({ total: 50 });
  });

  test('and those that it has can be changed and deleted, also where it has more', async () => {
    const { project_id, id } = await projectWith(51);
    await notifier.update(id, { project_id, severity_threshold: 'low' });
    await remove(id);
    await expect(notifier.newRule({ project_id })).rejects.toMatchObject(refused);
    expect(await notifier.list({ project_id })).toMatchObject({ total: 50 });
  });
});

describe('a deleted project', () => {
  test('loses its rules, no others, however often it is deleted', async () => {
    const [deleted, kept] = [notifier.newProject(), notifier.newProject()];
    for (const project_id of [deleted, deleted, kept]) await notifier.newRule({ project_id });
    expect(await notifier.deleteProject(deleted)).toEqual({ more: false });
    expect(await notifier.deleteProject(deleted)).toEqual({ more: false });
    expect(await notifier.deleteProject(randomUUID())).toEqual({ more: false });
    expect(await notifier.list({ project_id: deleted })).toMatchObject({ total: 0 });
    expect(await notifier.list({ project_id: kept })).toMatchObject({ total: 1 });
  });

  test('gets no rule that was requested before the delete and stored after it', async () => {
    const [deleted, other] = [notifier.newProject(), notifier.newProject()];
    const { id } = await notifier.newRule({ project_id: other });
    notifier.afterCatalogSaidYes.run = async () => void (await notifier.deleteProject(deleted));
    await expect(notifier.newRule({ project_id: deleted })).rejects.toMatchObject(noProject);
    await expect(notifier.update(id, { project_id: deleted })).rejects.toMatchObject(noProject);
    expect(await notifier.list({ project_id: deleted })).toMatchObject({ total: 0 });
    expect(await notifier.list({ project_id: other })).toMatchObject({ items: [{ id }] });
  });

  test('has no rule left, even if rules are created and moved during the delete', async () => {
    for (let round = 0; round < 10; round++) {
      const [deleted, other] = [notifier.newProject(), notifier.newProject()];
      const { id } = await notifier.newRule({ project_id: other });
      const work = Array.from({ length: 6 }, () => notifier.newRule({ project_id: deleted }));
      const outcomes = await Promise.allSettled([
        ...work.slice(0, 3),
        notifier.deleteProject(deleted),
        notifier.update(id, { project_id: deleted }),
        ...work.slice(3),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(noProject);
      }
      expect(await notifier.list({ project_id: deleted })).toEqual({ items: [], total: 0 });
    }
  });
});
