import * as messages from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';

const ofTheDatabase = [
  ...['listApiKeys', 'getOwnApiKey', 'getMe', 'deleteApiKey', 'listAuditEntries'],
  ...['listOwnApiKeys', 'createOwnApiKey', 'deleteOwnApiKey', 'listPeople', 'endSessions'],
];
/** Operations that need no answer of another service, so that none can fail them. */
const askNobody = [...ofTheDatabase, ...['getHealth', 'getReadiness', 'getVersion', 'getOpenapi']];
/** Every service behind it fails; none is there; a key may make one call a minute. */
let failing: TestGateway;
let alone: TestGateway;
let limited: TestGateway;
/** What `alone` answers, by operationId: all asked for at once, since each waits until it gives up. */
const answersOfAlone = new Map<string, Response>();

/** Every question that one service asks another. */
const definitions = (Object.values(messages) as unknown[]).filter(
  (each): each is messages.RpcDefinition<unknown, unknown> =>
    typeof each === 'object' && each !== null && 'subject' in each && 'timeoutMs' in each,
);

beforeAll(async () => {
  failing = await startGateway();
  alone = await startGateway();
  limited = await startGateway({ RATE_LIMIT_PER_MINUTE: 1 });
  for (const definition of definitions) {
    const fail = async () => {
      throw new TypeError('secret of the inside');
    };
    failing.bus.serve(handles(definition, fail));
  }
});
beforeAll(async () => {
  await Promise.all(operationIds.map(async (id) => answersOfAlone.set(id, await send(alone, id))));
});
afterAll(async () => {
  for (const gateway of [failing, alone, limited]) await gateway?.stop();
});

function uploadForm(): FormData {
  const form = new FormData();
  form.set('project_id', harness.projectId);
  form.set('file', new Blob(['{}']), 'sbom.json');
  return form;
}

/** By operationId: what makes its request valid, beside an id in its path. */
const requests: Record<string, { query?: string; body?: object }> = {
  createProject: { body: { name: 'x' } },
  updateProject: { body: { name: 'x' } },
  updateService: { body: { owner: 'x' } },
  uploadSbom: { body: uploadForm() },
  checkSbom: { body: uploadForm() },
  importVex: { body: uploadForm() },
  listServices: { query: `?project_id=${harness.projectId}` },
  listDependencyPaths: { query: '?purl=pkg:npm/a' },
  searchPackages: { query: '?purl=pkg:npm/a' },
  searchLicenses: { query: '?group=network_copyleft' },
  groupVulnerabilities: { query: '?group_by=package' },
  createAcceptance: {
    body: { project_id: harness.projectId, vulnerability_id: harness.vulnerabilityId, reason: 'r' },
  },
  createGlobalAcceptance: {
    body: { vulnerability_id: harness.vulnerabilityId, reason: 'r' },
  },
  decideInBulk: {
    body: {
      project_id: harness.projectId,
      vulnerability_ids: [harness.vulnerabilityId],
      reason: 'r',
    },
  },
  createDecisionRule: { body: { name: 'n', filter: {}, decision: 'in_triage', reason: 'r' } },
  updateDecisionRule: { body: { name: 'n' } },
  updateAcceptance: { body: { reason: 'r' } },
  createAlertRule: { body: { project_id: harness.projectId } },
  updateAlertRule: { body: { project_id: harness.projectId } },
  createApiKey: { body: { project_id: harness.projectId } },
  createImport: { body: { source: 'dependency-track' } },
  updateImport: { body: { status: 'finished' } },
};

const operationIds = `listProjects createProject getProject updateProject deleteProject
  listProjectHistory uploadSbom checkSbom getSbom downloadSbom diffSboms deleteSbom listServices updateService deleteService
  listSbomCoverage getSbomVerdict listDependencyPaths listDependencyGraph listRemediations listVex exportVex importVex getVex deleteVex
  searchPackages searchLicenses searchVulnerability
  listAdvisoryFeeds listVulnerabilities getVulnerability groupVulnerabilities
  listActiveVulnerabilities getVulnerabilitySummary getStatistics listAcceptances createAcceptance
  updateAcceptance deleteAcceptance createGlobalAcceptance listGlobalAcceptances deleteGlobalAcceptance
  decideInBulk getBulkDecision deleteBulkDecision listDecisionRules createDecisionRule getDecisionRule
  updateDecisionRule deleteDecisionRule listExploitedEvidence listAlertRules createAlertRule updateAlertRule deleteAlertRule
  testAlertRule listAlertDeliveries previewAlertRule
  listDeadLetters getDeadLetter replayDeadLetter deleteDeadLetter
  listImports createImport getImport updateImport listImportedServices
  createApiKey`.split(/\s+/);

test('every operation that asks another service stands in the list', () => {
  const asking = [...failing.contract.operations.keys()].filter((id) => !askNobody.includes(id));
  expect([...operationIds].sort()).toEqual(asking.sort());
});

/** Sends a valid request of an operation. */
function send(to: TestGateway, operationId: string): Promise<Response> {
  const operation = to.contract.operations.get(operationId);
  const { query = '', body } = requests[operationId] ?? {};
  const idOf = (part: string) => (part === '{dead_letter_id}' ? '1' : harness.sbomId);
  const path = `${operation?.path.replace(/\{\w+\}/g, idOf)}${query}`;
  const isForm = body instanceof FormData;
  return to.call(operation?.method ?? '', path, {
    ...(body && {
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { 'content-type': 'application/json' },
    }),
  });
}

test.each(operationIds)(
  '%s answers 500: what it asks another service fails there',
  async (operationId) => {
    const response = await send(failing, operationId);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      detail: 'Internal Server Error',
      code: 'internal_error',
    });
  },
);

test.each(operationIds)(
  '%s answers 503: nobody answers what it asks another service',
  async (operationId) => {
    const response = answersOfAlone.get(operationId);
    expect(response?.status).toBe(503);
    expect(await response?.json()).toMatchObject({ code: 'service_unavailable' });
  },
);

test.each([...operationIds, ...ofTheDatabase])(
  '%s answers 429: its key has made its calls of this minute',
  async (operationId) => {
    const first = await send(limited, operationId);
    // The first one may have been the one call of a new minute.
    const response = first.status === 429 ? first : await send(limited, operationId);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
  },
);
