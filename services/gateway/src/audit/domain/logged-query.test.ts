import { loggedQuery } from './logged-query';

const known = new Set(['page', 'name']);

test.each([
  ['page=1&name=a%26b', 'page=1&name=a%26b'],
  ['page=1&token=hunter2', 'page=1&token=…'],
  ['hunter2&page=1', '…&page=1'],
  ['page[password]=hunter2', 'page[password]=…'],
  [`name=bt_bootstrap000_${'s'.repeat(43)}`, 'name=bt_bootstrap000_…'],
  ['', ''],
])('of the query %j a log line shows %j', (query, logged) => {
  expect(loggedQuery(query, known)).toBe(logged);
});
