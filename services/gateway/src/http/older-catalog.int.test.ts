import { getSbom } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { sbomId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

test('beside a catalog of the release before, which tells of no scan, a reader that waits is answered with the state when its time is over', async () => {
  const fakes = fakeServices(gateway.bus, { olderCatalog: true });
  fakes.scanStatus = 'pending';
  const result = gateway.call('GET', `/api/v1/sboms/${sbomId}?wait=2`);
  const isRead = (): boolean => fakes.requested.some(({ subject }) => subject === getSbom.subject);
  await eventually(isRead, { what: 'the state of the SBOM is read' });
  fakes.scanStatus = 'scanned';
  const response = await result;
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ scan_status: 'scanned' });
});
