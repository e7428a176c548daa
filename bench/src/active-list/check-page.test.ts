import { checkPage, type ListedItem } from './check-page';
import { listQueries, type ListQuery, type ListScope, type ListSort } from './list-queries';

const projectId = 'p1';

function item(id: string, fields: Partial<ListedItem> = {}): ListedItem {
  return {
    id,
    cve_id: 'CVE-1',
    severity: 'high',
    cvss_score: 8,
    package_name: 'a',
    first_seen_at: '2026-01-01T00:00:00.000Z',
    published_at: null,
    project_id: projectId,
    project_name: 'Project',
    service_name: 'service',
    title: 'Title',
    ...fields,
  };
}

function query(sort: ListSort, order: 'asc' | 'desc', scope: ListScope = 'everything'): ListQuery {
  const found = listQueries(projectId).find(
    (one) => one.sort === sort && one.order === order && one.scope === scope,
  );
  if (!found) throw new Error('no such question');
  return found;
}

function check(items: ListedItem[], asked: ListQuery, total = items.length): void {
  checkPage({ items, total }, asked, { total: items.length, projectId });
}

test('every order of everything, of two severities and of a project is asked for', () => {
  const paths = listQueries(projectId).map(({ path }) => path);
  expect(new Set(paths).size).toBe(3 * 7 * 2);
});

test.each([
  ['desc', [item('1', { cvss_score: 9 }), item('2'), item('3'), item('4', { cvss_score: null })]],
  ['asc', [item('4', { cvss_score: null }), item('2'), item('3'), item('1', { cvss_score: 9 })]],
] as const)('a page is right when it is in order: %s', (order, items) => {
  check([...items], query('cvss_score', order));
  expect(() => check([...items].reverse(), query('cvss_score', order))).toThrow('stands before');
});

test('what misses the value is last in either order', () => {
  const items = [item('2', { published_at: '2026-01-01T00:00:00.000Z' }), item('1')];
  for (const order of ['asc', 'desc'] as const) {
    check(items, query('published_at', order));
    expect(() => check([...items].reverse(), query('published_at', order))).toThrow(
      'stands before',
    );
  }
});

test('ties may have any order, but no item is there twice', () => {
  check([item('2'), item('1'), item('3')], query('cve_id', 'desc'));
  expect(() => check([item('2'), item('1'), item('2')], query('cve_id', 'desc'))).toThrow('twice');
});

test('a total that is not the number of rows is wrong', () => {
  expect(() => check([item('1')], query('cve_id', 'asc'), 2)).toThrow('the total is 2');
});

test('a row that is left out is missed', () => {
  const page = { items: [item('1')], total: 2 };
  const expected = { total: 2, projectId };
  expect(() => checkPage(page, query('cve_id', 'asc'), expected)).toThrow('1 items, not 2');
});

test.each([
  ['severities', { severity: 'low' }],
  ['project', { project_id: 'p2' }],
] as const)('a row that the filter leaves out is wrong: %s', (scope, fields) => {
  const asked = query('cve_id', 'asc', scope);
  check([item('1')], asked);
  expect(() => check([item('1', fields)], asked)).toThrow('not asked for');
});

test('an item without its texts or names is wrong', () => {
  for (const field of ['title', 'project_name', 'service_name']) {
    const without = item('1', { [field]: '' });
    expect(() => check([without], query('cve_id', 'asc'))).toThrow('has no title');
  }
});
