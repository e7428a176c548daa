import { servicesAmong } from './services-among';

const items = [
  { project_id: 'p1', service_id: 's1' },
  { project_id: 'p1', service_id: 's1' },
  { project_id: 'p1', service_id: null },
  { project_id: 'p2', service_id: null },
];

test('a service that has a vulnerability in two packages counts once', () => {
  expect(servicesAmong({ items, has_more: false })).toEqual({ count: 3, words: '3' });
});

test('of an answer with further pages the services are a lower bound', () => {
  expect(servicesAmong({ items, has_more: true })).toEqual({ count: 3, words: 'at least 3' });
});
