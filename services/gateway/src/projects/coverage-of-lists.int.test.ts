import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

interface Listed {
  retained: boolean;
  coverage: object | null;
}

async function listed(): Promise<{ service: Listed; sbom: Listed }> {
  const read = async (path: string) => (await gateway.call('GET', path)).json();
  const services = (await read(`/api/v1/services?project_id=${harness.projectId}`)) as {
    latest_sbom: Listed;
  }[];
  const history = (await read(`/api/v1/projects/${harness.projectId}/history`)) as {
    items: Listed[];
  };
  const [service, sbom] = [services[0]?.latest_sbom, history.items[0]];
  if (!service || !sbom) throw new Error('Nothing is listed.');
  return { service, sbom };
}

const part = { components: 3, evaluated: 1, undetermined: { no_purl: 2 } };

test('services and SBOMs are listed with how much of them was evaluated', async () => {
  fakes.coverage = part;
  const { service, sbom } = await listed();
  const said = { retained: true, coverage: { ...part, scope: 'part' } };
  expect(service).toMatchObject(said);
  expect(sbom).toMatchObject(said);
  expect({ ...service, ...sbom }).not.toHaveProperty('digest');
});

test('they are listed while the scanner is away, as of unknown coverage', async () => {
  fakes.coverage = null;
  const { service, sbom } = await listed();
  expect([service.coverage, sbom.coverage]).toEqual([null, null]);
});
