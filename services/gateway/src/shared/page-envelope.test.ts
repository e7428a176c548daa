import { pageEnvelope } from './page-envelope';

test.each([
  [
    { total: 0, page: 1, per_page: 25 },
    { total_pages: 0, has_more: false },
  ],
  [
    { total: 25, page: 1, per_page: 25 },
    { total_pages: 1, has_more: false },
  ],
  [
    { total: 26, page: 1, per_page: 25 },
    { total_pages: 2, has_more: true },
  ],
  [
    { total: 26, page: 2, per_page: 25 },
    { total_pages: 2, has_more: false },
  ],
  [
    { total: 26, page: 9, per_page: 25 },
    { total_pages: 2, has_more: false },
  ],
])('of %j there are %j', ({ total, ...requested }, expected) => {
  expect(pageEnvelope({ items: [], total }, requested)).toEqual({
    items: [],
    total,
    ...requested,
    ...expected,
  });
});
