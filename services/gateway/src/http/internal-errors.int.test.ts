import * as messages from '@bomtrail/messages';
import { answers } from '@bomtrail/service-kit';
import * as world from '../testing/played-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

/** Operations that need no answer of another service, so that none can fail them. */
const askNobody = [
  ...['listApiKeys', 'deleteApiKey', 'listAuditEntries'],
  ...['getHealth', 'getReadiness', 'getVersion', 'getOpenapi'],
];
let gateway: TestGateway;

/** Every question that one service asks another. */
const questions = (Object.values(messages) as unknown[]).filter(
  (each): each is messages.RpcDefinition<unknown, unknown> =>
    typeof each === 'object' && each !== null && 'subject' in each && 'timeoutMs' in each,
);

beforeAll(async () => {
  gateway = await startGateway();
  for (const question of questions) {
    const fail = async () => {
      throw new TypeError('secret of the inside');
    };
    gateway.bus.play(answers(question, fail));
  }
});
afterAll(() => gateway?.stop());

function uploadForm(): FormData {
  const form = new FormData();
  form.set('project_id', world.projectId);
  form.set('file', new Blob(['{}']), 'sbom.json');
  return form;
}

/** By operationId: what makes its request valid, beside an id in its path. */
const requests: Record<string, { query?: string; body?: object }> = {
  createProject: { body: { name: 'x' } },
  updateProject: { body: { name: 'x' } },
  uploadSbom: { body: uploadForm() },
  listServices: { query: `?project_id=${world.projectId}` },
  createAcceptance: {
    body: { project_id: world.projectId, vulnerability_id: world.rowId, reason: 'r' },
  },
  createAlertRule: { body: { project_id: world.projectId } },
  updateAlertRule: { body: { project_id: world.projectId } },
  createApiKey: { body: { project_id: world.projectId } },
};

const operationIds = `listProjects createProject getProject updateProject deleteProject
  listProjectHistory uploadSbom getSbom downloadSbom diffSboms deleteSbom listServices deleteService
  listActiveVulnerabilities getVulnerabilitySummary listAcceptances createAcceptance
  deleteAcceptance listAlertRules createAlertRule updateAlertRule deleteAlertRule
  createApiKey`.split(/\s+/);

test('every operation that asks another service stands in the list', () => {
  const asking = [...gateway.contract.operations.keys()].filter((id) => !askNobody.includes(id));
  expect([...operationIds].sort()).toEqual(asking.sort());
});

test.each(operationIds)(
  '%s answers 500: what it asks another service fails there',
  async (operationId) => {
    const operation = gateway.contract.operations.get(operationId);
    const { query = '', body } = requests[operationId] ?? {};
    const ids = world.sbomId;
    const path = `${operation?.path.replace(/\{\w+\}/g, ids)}${query}`;
    const response = await gateway.call(operation?.method ?? '', path, {
      ...(body && {
        body: body instanceof FormData ? body : JSON.stringify(body),
        headers: body instanceof FormData ? {} : { 'content-type': 'application/json' },
      }),
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      detail: 'Internal Server Error',
      code: 'internal_error',
    });
  },
);
