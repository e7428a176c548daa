/// <reference types="jest" />
import { sendForJson } from '@bomtrail/api-client';
import { loadContract, type ContractOperation } from '@bomtrail/api-contract';
import { createHarness, importedService, type Harness } from '../statuses/harness';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';
import type { TokenIssuer } from '../support/token-issuer';
import { vexDocument } from '../statuses/vex-document';

const roles = ['viewer', 'triager', 'uploader', 'maintainer'] as const;
/** The slugs of the projects of the two harnesses whose roles these are. */
const ownSlugs = ['project-one-1', 'project-two-1'];
const groupOf = (role: string): string => `${role}s of two projects`;
/** What the setting OIDC_ROLES needs for these tests. */
export const rolesOfTwoProjects = roles.map((role) => ({
  group: groupOf(role),
  role,
  projects: ownSlugs,
}));
const operations = [...loadContract().operations.values()].filter(({ secured }) => secured);

function form(fields: Record<string, string>, file: string | Buffer): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append('file', new Blob([file]), 'file.json');
  return data;
}

/** Bodies that aim at a project. */
function bodyOf(id: string, { ids, project }: Harness): object | FormData | undefined {
  const project_id = project.id;
  const decision = { project_id, vulnerability_id: ids['vulnerability_id'], reason: 'r' };
  const bodies: Record<string, object | FormData> = {
    createProject: { name: 'foreign by a role' },
    updateProject: { description: 'changed' },
    updateService: { owner: 'changed' },
    uploadSbom: form({ project_id, version: '9' }, npmDocument('x', ['lodash@4.17.15'])),
    checkSbom: form({ project_id }, npmDocument('x', ['lodash@4.17.15'])),
    createAcceptance: decision,
    createGlobalAcceptance: { vulnerability_id: ids['vulnerability_id'], reason: 'r' },
    updateAcceptance: { reason: 'changed' },
    decideInBulk: { project_id, filter: {}, reason: 'r' },
    importVex: form({ project_id }, vexDocument('aimed')),
    createAlertRule: { project_id },
    updateAlertRule: { enabled: false },
    createApiKey: { project_id, scopes: ['read'] },
    createOwnApiKey: { project_id, scopes: ['read'] },
    createImport: { source: 'dependency-track' },
    updateImport: { services: [importedService(project_id)] },
  };
  return bodies[id];
}

/**
 * The paths by which an operation may reach a project: its ids in the path, and as filters, but for those that it
 * refuses as unknown to it: the tests of statuses show that.
 */
function pathsOf({ path, validators }: ContractOperation, { ids, project }: Harness): string[] {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'missing');
  const isTaken = (query: string): boolean => {
    const checked = validators.query(Object.fromEntries(new URLSearchParams(query)));
    return checked.ok || checked.problems.every(({ type }) => type !== 'extra_forbidden');
  };
  const purl = 'purl=pkg%3Anpm%2Flodash';
  const queries = [
    `project_id=${project.id}`,
    `service_id=${ids['service_id']}`,
    purl,
    `${purl}&project_id=${project.id}`,
    'group_by=project',
    `group_by=service&project_id=${project.id}`,
    'format=csv',
    'format=openvex',
    'cascade=true',
    'wait=1',
    'owner=foreign%20team',
    `label=foreign&project_id=${project.id}`,
    'q=lodash&sort=severity',
    'sort=first_seen_at',
  ];
  return [filled, ...queries.filter(isTaken).map((query) => `${filled}?${query}`)];
}

/** What identifies the foreign project, unless the request itself named it. */
function marksOf({ ids, project }: Harness): string[] {
  const own = Object.entries(ids).flatMap(([name, id]) =>
    ['advisory_id', 'dead_letter_id'].includes(name) ? [] : [id],
  );
  return [...new Set([...own, project.slug, project.name])];
}

const refused = new Set([400, 403, 404, 422]);

/** Lists with a total, by the ways in which they are read. */
const lists = [
  '/api/v1/projects?name=project',
  '/api/v1/vulnerabilities/active?sort=cvss_score',
  '/api/v1/vulnerabilities/active?sort=first_seen_at&order=asc',
  '/api/v1/vulnerabilities/active?q=lodash',
  '/api/v1/vulnerabilities/active?severity=high&sort=package_name',
  '/api/v1/vulnerabilities?status=open,accepted',
  '/api/v1/vulnerabilities/groups?group_by=service',
  '/api/v1/vulnerabilities/groups?group_by=service&q=lodash',
  '/api/v1/vulnerabilities/acceptances?decision=risk_accepted',
  '/api/v1/search/packages?purl=pkg%3Anpm%2Flodash',
  '/api/v1/alert-rules',
  '/api/v1/vulnerabilities/summary?severity=high',
];

/** Tests of what a role in some projects reaches, in a stack with `rolesOfTwoProjects`. */
export function roleTests(running: () => TestStack, issuer: () => TokenIssuer): void {
  let stack: TestStack;
  let one: Harness;
  let two: Harness;
  let foreign: Harness;

  beforeAll(async () => {
    stack = running();
    one = await createHarness(stack, { prefix: 'one' });
    two = await createHarness(stack, { prefix: 'two' });
    foreign = await createHarness(stack, { prefix: 'foreign' });
    const owned = { owner: 'foreign team', labels: ['foreign'] };
    const path = `/api/v1/projects/${foreign.project.id}`;
    const project = await sendForJson<Harness['project']>(stack.target, {
      method: 'PATCH',
      path,
      body: owned,
    });
    foreign = { ...foreign, project };
  }, 300_000);

  async function send(
    token: string,
    request: string,
    body?: object | FormData,
  ): Promise<{ status: number; text: string }> {
    const [method = '', path = ''] = request.split(' ');
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(`${stack.target.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isJson ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
    return { status: response.status, text: await response.text() };
  }

  const asRole = (role: string) => issuer().token(role, [groupOf(role)]);

  describe.each(roles)('For a %s of two projects', (role) => {
    test('every operation of the contract leaks and changes nothing of a third one', async () => {
      const token = await asRole(role);
      const marks = marksOf(foreign);
      const leaks: string[] = [];
      let calls = 0;
      for (const operation of operations) {
        const { operationId, method } = operation;
        for (const path of pathsOf(operation, foreign)) {
          const { status, text } = await send(
            token,
            `${method} ${path}`,
            bodyOf(operationId, foreign),
          );
          calls += 1;
          const isList = method === 'GET' && status === 200;
          if (!isList && !refused.has(status)) leaks.push(`${operationId} ${path}: ${status}`);
          const seen = isList ? marks.filter((mark) => text.includes(mark)) : [];
          if (seen.length > 0) leaks.push(`${operationId} ${path}: ${seen.join()}`);
        }
      }
      expect(leaks).toEqual([]);
      expect(calls).toBeGreaterThan(5 * operations.length);
    }, 300_000);
  });

  test('afterwards everything of the third project is as it was', async () => {
    const { apiKey } = stack.target;
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      if (!operation.path.includes('{')) continue;
      const [plain = ''] = pathsOf(operation, foreign);
      const path = operation.operationId === 'exportVex' ? `${plain}?format=csaf` : plain;
      const query =
        operation.operationId === 'listDependencyPaths' ? '?purl=pkg%3Anpm%2Flodash' : '';
      const { status } = await send(apiKey, `GET ${path}${query}`);
      expect([operation.operationId, status]).toEqual([operation.operationId, 200]);
    }
    const { text } = await send(apiKey, `GET /api/v1/projects/${foreign.project.id}`);
    expect(JSON.parse(text)).toEqual(foreign.project);
  });

  test('somebody without a role is refused by every operation but who they are', async () => {
    const token = await issuer().token('nobody', ['others']);
    for (const operation of operations) {
      const { operationId, method } = operation;
      const [path = ''] = pathsOf(operation, one);
      const { status } = await send(token, `${method} ${path}`, bodyOf(operationId, one));
      const expected = operationId === 'getMe' ? 200 : operationId === 'getOwnApiKey' ? 404 : 403;
      expect([operationId, status]).toEqual([operationId, expected]);
    }
  }, 60_000);

  test.each(lists)('%s is, for a person with two projects, the sum of both', async (path) => {
    const total = async (token: string, query = '') => {
      const { status, text } = await send(token, `GET ${path}${query}`);
      expect([path, status]).toEqual([path, 200]);
      return (JSON.parse(text) as { total: number }).total;
    };
    const viewer = await asRole('viewer');
    const both = await total(viewer);
    const ofOwn = path.startsWith('/api/v1/projects')
      ? [1, 1]
      : path === '/api/v1/alert-rules'
        ? [1, 1]
        : await Promise.all(
            [one, two].map(({ project }) =>
              total(
                stack.target.apiKey,
                `${path.includes('?') ? '&' : '?'}project_id=${project.id}`,
              ),
            ),
          );
    expect(both).toBe(ofOwn[0]! + ofOwn[1]!);
    expect(both).toBeGreaterThan(0);
  });
}
