import { foundService } from './found-service';

const names = {
  service_id: 'a',
  project_id: 'b',
  project_name: 'Web Shop',
  project_slug: 'web-shop',
  service_name: 'Checkout',
};

test('a found service has its names and who is responsible, and nothing else of its project', () => {
  const levels = { service_levels: { critical: 7 }, ships_products: true as const };
  const owned = { owner: 'Team A', labels: ['pci'] };
  expect(foundService({ ...names, ...levels, ...owned })).toEqual({ ...names, ...owned });
});

test('nobody may be responsible, and the project-level service has no id', () => {
  const found = { ...names, service_name: null };
  expect(foundService(found)).toEqual({ ...found, service_id: null, owner: null, labels: [] });
});
