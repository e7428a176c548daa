import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract, operationsOf } from './contract';
import { dereference } from './dereference';
import { openapiDocument } from './document';

/** docs/rules.md O1: operation → method, path, success, the other statuses listed. */
const specified: Record<string, [method: string, path: string, success: number, others: string]> = {
  listProjects: ['GET', '/api/v1/projects', 200, '401 422'],
  createProject: ['POST', '/api/v1/projects', 201, '400 401 409 422'],
  getProject: ['GET', '/api/v1/projects/{project_id}', 200, '401 404 422'],
  updateProject: ['PATCH', '/api/v1/projects/{project_id}', 200, '400 401 404 409 422'],
  deleteProject: ['DELETE', '/api/v1/projects/{project_id}', 204, '401 404 422'],
  listProjectHistory: ['GET', '/api/v1/projects/{project_id}/history', 200, '401 404 422'],
  uploadSbom: ['POST', '/api/v1/sboms/upload', 201, '400 401 404 422'],
  getSbom: ['GET', '/api/v1/sboms/{sbom_id}', 200, '401 404 422'],
  downloadSbom: ['GET', '/api/v1/sboms/{sbom_id}/download', 200, '401 404 422'],
  diffSboms: ['GET', '/api/v1/sboms/{sbom_id}/diff/{other_id}', 200, '401 422'],
  deleteSbom: ['DELETE', '/api/v1/sboms/{sbom_id}', 204, '401 404 422'],
  listServices: ['GET', '/api/v1/services', 200, '401 422'],
  deleteService: ['DELETE', '/api/v1/services/{service_id}', 204, '401 404 409 422'],
  listActiveVulnerabilities: ['GET', '/api/v1/vulnerabilities/active', 200, '401 422'],
  getVulnerabilitySummary: ['GET', '/api/v1/vulnerabilities/summary', 200, '401'],
  listAcceptances: ['GET', '/api/v1/vulnerabilities/acceptances', 200, '401 422'],
  createAcceptance: ['POST', '/api/v1/vulnerabilities/acceptances', 201, '400 401 404 409 422'],
  deleteAcceptance: [
    'DELETE',
    '/api/v1/vulnerabilities/acceptances/{acceptance_id}',
    204,
    '401 404 422',
  ],
  listAlertRules: ['GET', '/api/v1/alert-rules', 200, '401 422'],
  createAlertRule: ['POST', '/api/v1/alert-rules', 201, '400 401 404 422'],
  updateAlertRule: ['PATCH', '/api/v1/alert-rules/{alert_id}', 200, '400 401 404 422'],
  deleteAlertRule: ['DELETE', '/api/v1/alert-rules/{alert_id}', 200, '401 404 422'],
  getHealth: ['GET', '/healthz', 200, ''],
  getReadiness: ['GET', '/readyz', 200, ''],
  getVersion: ['GET', '/version', 200, ''],
  getOpenapi: ['GET', '/api/openapi.json', 200, ''],
};

/** Operations beyond the specification: docs/rules.md O1, docs/ci.md, docs/search.md, docs/vulnerabilities.md, docs/alerts.md. */
const additive: typeof specified = {
  updateService: ['PATCH', '/api/v1/services/{service_id}', 200, '400 401 404 422'],
  listSbomCoverage: ['GET', '/api/v1/sboms/{sbom_id}/coverage', 200, '401 403 404 422'],
  checkSbom: ['POST', '/api/v1/sboms/check', 200, '400 401 403 404 422'],
  getSbomVerdict: ['GET', '/api/v1/sboms/{sbom_id}/verdict', 200, '401 403 404 422'],
  listDependencyGraph: [
    'GET',
    '/api/v1/sboms/{sbom_id}/dependencies/graph',
    200,
    '401 403 404 422',
  ],
  listDependencyPaths: [
    'GET',
    '/api/v1/sboms/{sbom_id}/dependencies/paths',
    200,
    '401 403 404 422',
  ],
  exportVex: ['GET', '/api/v1/projects/{project_id}/vex', 200, '401 403 404 422'],
  listVex: ['GET', '/api/v1/vex', 200, '401 403 422'],
  importVex: ['POST', '/api/v1/vex', 200, '400 401 403 404 409 422'],
  getVex: ['GET', '/api/v1/vex/{vex_id}', 200, '401 403 404 422'],
  deleteVex: ['DELETE', '/api/v1/vex/{vex_id}', 204, '401 403 404 422'],
  listRemediations: ['GET', '/api/v1/remediations', 200, '401 403 422'],
  searchPackages: ['GET', '/api/v1/search/packages', 200, '401 403 422'],
  searchLicenses: ['GET', '/api/v1/search/licenses', 200, '401 403 422'],
  searchVulnerability: [
    'GET',
    '/api/v1/search/vulnerabilities/{advisory_id}',
    200,
    '401 403 404 422',
  ],
  listVulnerabilities: ['GET', '/api/v1/vulnerabilities', 200, '401 403 422'],
  listExploitedEvidence: [
    'GET',
    '/api/v1/projects/{project_id}/exploited-evidence',
    200,
    '401 403 404 422',
  ],
  getStatistics: ['GET', '/api/v1/statistics', 200, '401 403 422'],
  groupVulnerabilities: ['GET', '/api/v1/vulnerabilities/groups', 200, '401 403 422'],
  getVulnerability: ['GET', '/api/v1/vulnerabilities/{vulnerability_id}', 200, '401 403 404 422'],
  listAdvisoryFeeds: ['GET', '/api/v1/advisories/feeds', 200, '401 403 422'],
  decideInBulk: [
    'POST',
    '/api/v1/vulnerabilities/acceptances/bulk',
    201,
    '400 401 403 404 409 413 422',
  ],
  getBulkDecision: [
    'GET',
    '/api/v1/vulnerabilities/acceptances/bulk/{bulk_id}',
    200,
    '401 403 404 422',
  ],
  deleteBulkDecision: [
    'DELETE',
    '/api/v1/vulnerabilities/acceptances/bulk/{bulk_id}',
    204,
    '401 403 404 422',
  ],
  listDecisionRules: [
    'GET',
    '/api/v1/projects/{project_id}/decision-rules',
    200,
    '401 403 404 422',
  ],
  createDecisionRule: [
    'POST',
    '/api/v1/projects/{project_id}/decision-rules',
    201,
    '400 401 403 404 409 422',
  ],
  getDecisionRule: ['GET', '/api/v1/decision-rules/{rule_id}', 200, '401 403 404 422'],
  updateDecisionRule: ['PATCH', '/api/v1/decision-rules/{rule_id}', 200, '400 401 403 404 409 422'],
  deleteDecisionRule: ['DELETE', '/api/v1/decision-rules/{rule_id}', 204, '401 403 404 422'],
  listGlobalAcceptances: ['GET', '/api/v1/vulnerabilities/acceptances/global', 200, '401 403 422'],
  createGlobalAcceptance: [
    'POST',
    '/api/v1/vulnerabilities/acceptances/global',
    201,
    '400 401 403 404 409 422',
  ],
  deleteGlobalAcceptance: [
    'DELETE',
    '/api/v1/vulnerabilities/acceptances/global/{acceptance_id}',
    204,
    '401 403 404 422',
  ],
  updateAcceptance: [
    'PATCH',
    '/api/v1/vulnerabilities/acceptances/{acceptance_id}',
    200,
    '400 401 403 404 409 422',
  ],
  testAlertRule: ['POST', '/api/v1/alert-rules/{alert_id}/test', 200, '401 403 404 422'],
  listAlertDeliveries: ['GET', '/api/v1/alert-rules/{alert_id}/deliveries', 200, '401 403 404 422'],
  previewAlertRule: ['GET', '/api/v1/alert-rules/{alert_id}/preview', 200, '401 403 404 422'],
  listApiKeys: ['GET', '/api/v1/api-keys', 200, '401 403 422'],
  getOwnApiKey: ['GET', '/api/v1/api-keys/self', 200, '401 404 422'],
  getMe: ['GET', '/api/v1/me', 200, '401 422'],
  createApiKey: ['POST', '/api/v1/api-keys', 201, '400 401 403 404 422'],
  listOwnApiKeys: ['GET', '/api/v1/me/api-keys', 200, '401 403 422'],
  createOwnApiKey: ['POST', '/api/v1/me/api-keys', 201, '400 401 403 404 409 422'],
  deleteOwnApiKey: ['DELETE', '/api/v1/me/api-keys/{api_key_id}', 204, '401 403 404 422'],
  listImports: ['GET', '/api/v1/imports', 200, '401 403 422'],
  createImport: ['POST', '/api/v1/imports', 201, '400 401 403 422'],
  getImport: ['GET', '/api/v1/imports/{import_id}', 200, '401 403 404 422'],
  updateImport: ['PATCH', '/api/v1/imports/{import_id}', 200, '400 401 403 404 422'],
  listImportedServices: ['GET', '/api/v1/imports/{import_id}/services', 200, '401 403 404 422'],
  listPeople: ['GET', '/api/v1/people', 200, '401 403 422'],
  endSessions: ['DELETE', '/api/v1/people/{person_id}/sessions', 200, '401 403 404 422'],
  listDeadLetters: ['GET', '/api/v1/dead-letters', 200, '401 403 422'],
  getDeadLetter: ['GET', '/api/v1/dead-letters/{dead_letter_id}', 200, '401 403 404 422'],
  deleteDeadLetter: ['DELETE', '/api/v1/dead-letters/{dead_letter_id}', 204, '401 403 404 422'],
  replayDeadLetter: [
    'POST',
    '/api/v1/dead-letters/{dead_letter_id}/replay',
    204,
    '401 403 404 409 422',
  ],
  listAuditEntries: ['GET', '/api/v1/audit', 200, '401 403 422'],
  deleteApiKey: ['DELETE', '/api/v1/api-keys/{api_key_id}', 204, '401 403 404 422'],
};

/** Statuses beyond the listed ones: 500 anywhere, 403 (where a scope is needed), 429 and 503 with a key, 408 and 413 with a body, and these. */
const furtherStatuses: Record<string, string[]> = {
  getSbom: ['304'],
  downloadSbom: ['304'],
  getVulnerability: ['304'],
  diffSboms: ['404'],
  getVulnerabilitySummary: ['422'],
  getReadiness: ['503'],
  createAlertRule: ['409'],
  updateAlertRule: ['409'],
  deleteAcceptance: ['409'],
};

const contract = loadContract();
const resolved = dereference(contract.document);
const declared = new Map(
  operationsOf(resolved).map(({ operation }) => [operation.operationId, operation]),
);

describe('the contract', () => {
  test('has exactly the specified and the additive operations', () => {
    expect([...contract.operations.keys()].sort()).toEqual(
      [...Object.keys(specified), ...Object.keys(additive)].sort(),
    );
  });

  test.each(Object.entries({ ...specified, ...additive }))(
    '%s stands at its method and path, with every listed status',
    (operationId, [method, path, successStatus, others]) => {
      expect(contract.operations.get(operationId)).toMatchObject({ method, path, successStatus });
      const statuses = Object.keys(declared.get(operationId)!.responses);
      const listed = [String(successStatus), ...others.split(' ').filter(Boolean)];
      expect(statuses).toEqual(expect.arrayContaining(listed));

      const secured = path.startsWith('/api/v1/');
      const scoped = secured && !['getOwnApiKey', 'getMe'].includes(operationId) ? ['403'] : [];
      const general = ['500', ...scoped, ...(secured ? ['429', '503'] : [])];
      const ofBody = declared.get(operationId)!.requestBody ? ['408', '413'] : [];
      const expected = [...listed, ...general, ...ofBody, ...(furtherStatuses[operationId] ?? [])];
      expect(statuses.sort()).toEqual([...new Set(expected)].sort());
    },
  );

  test('changes nothing by a GET, nor by a check', () => {
    const reads = [...contract.operations.values()].filter(({ readOnly }) => readOnly);
    const others = reads.filter(({ method }) => method !== 'GET');
    expect(others.map(({ operationId }) => operationId)).toEqual(['checkSbom']);
  });

  test('requires a key for everything under /api/v1, and for nothing else', () => {
    for (const { path, secured } of contract.operations.values()) {
      expect([path, secured]).toEqual([path, path.startsWith('/api/v1/')]);
    }
  });

  test('marks exactly the operations beyond the specification as additive', () => {
    const marked = [...declared.values()].filter((operation) => operation['x-additive']);
    expect(marked.map(({ operationId }) => operationId).sort()).toEqual(
      Object.keys(additive).sort(),
    );
  });

  test.each(Object.entries(specified))(
    '%s marks the statuses beyond the specification as additive, and only these',
    (operationId, [, , successStatus, others]) => {
      const responses = Object.entries(declared.get(operationId)!.responses);
      const unmarked = responses.filter(([, response]) => !response['x-additive']);
      // 500: "any unhandled failure" (docs/rules.md O1).
      const listed = [String(successStatus), ...others.split(' ').filter(Boolean), '500'];
      expect(unmarked.map(([status]) => status).sort()).toEqual(listed.sort());
    },
  );

  test('carries the version of the application', () => {
    const root = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    expect(resolved.info.version).toBe(root.version);
  });

  test('is the same document on every load', () => {
    expect(openapiDocument()).toEqual(contract.document);
  });

  /** docs/rules.md O1: what a response never loses. */
  test.each([
    ['ProjectResponse', 'id slug name description repo_url platform created_at updated_at'],
    [
      'SBOMDetailResponse',
      'id project_id version format sha256 dependency_count created_at dependencies vulnerabilities',
    ],
    ['ProjectSBOMHistoryItem', 'id version format dependency_count created_at'],
    ['SBOMUploadResponse', 'id format dependency_count sha256'],
    ['DependencyResponse', 'name version purl type license is_direct'],
    ['SBOMDiffResponse', 'added removed changed'],
    ['ServiceResponse', 'id name project_id'],
    [
      'RiskAcceptanceResponse',
      'id project_id service_id vulnerability_id reason created_at updated_at',
    ],
    ['AlertRuleResponse', 'id project_id severity_threshold notification_type enabled created_at'],
    ['ActionResponse', 'status'],
    ['VulnerabilitySummary', 'critical high medium low none unknown total'],
  ])('%s has every field of the specification; the others are marked additive', (name, fields) => {
    const schema = resolved.components.schemas[name]!;
    const properties = schema.properties ?? {};
    expect(schema.required).toEqual(expect.arrayContaining(fields.split(' ')));
    const marked = Object.keys(properties).filter((field) => properties[field]!['x-additive']);
    expect(Object.keys(properties).sort()).toEqual([...fields.split(' '), ...marked].sort());
  });

  test.each(Object.entries(resolved.components.schemas).filter(([name]) => name.endsWith('Page')))(
    '%s has the page envelope',
    (_name, schema) => {
      expect(schema.required).toEqual(
        expect.arrayContaining(['items', 'total', 'page', 'per_page', 'total_pages', 'has_more']),
      );
    },
  );
});
