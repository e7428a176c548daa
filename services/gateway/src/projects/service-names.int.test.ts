import { nameServices } from '@bomtrail/messages';
import { serviceId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway?.stop());

/** How often names were requested for a list. */
async function requestsOfList(fakes: FakeServices, query = ''): Promise<number> {
  fakes.requested.length = 0;
  const response = await gateway.call('GET', `/api/v1/vulnerabilities/active${query}`);
  const { items } = (await response.json()) as { items: object[] };
  expect(items).toMatchObject([{ project_name: 'Web Shop', service_name: 'Checkout' }]);
  return fakes.requested.filter(({ subject }) => subject === nameServices.subject).length;
}

test('names are requested again only after they have changed', async () => {
  const fakes = fakeServices(gateway.bus);
  expect(await requestsOfList(fakes)).toBe(1);
  expect(await requestsOfList(fakes)).toBe(0);
  fakes.namesRevision = 'second';
  expect(await requestsOfList(fakes)).toBe(1);
  expect(await requestsOfList(fakes)).toBe(0);
});

test('the names of the service that a list is limited to are requested once, with the list', async () => {
  const fakes = fakeServices(gateway.bus);
  const query = `?service_id=${serviceId}`;
  expect(await requestsOfList(fakes, query)).toBe(1);
  expect(await requestsOfList(fakes, query)).toBe(0);
});

test('beside a catalog of an earlier release, which has no revision, they are requested for each list', async () => {
  const fakes = fakeServices(gateway.bus, { olderCatalog: true });
  expect(await requestsOfList(fakes)).toBe(1);
  expect(await requestsOfList(fakes)).toBe(1);
});
