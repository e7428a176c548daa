import { loadContract } from './contract';
import { checkResponse } from './response-check';

const contract = loadContract();
const project = {
  id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
  slug: 'web-shop',
  name: 'Web Shop',
  description: null,
  repo_url: null,
  platform: null,
  retention: null,
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: null,
};

function problems(operationId: string, status: number, body: unknown): string[] {
  return checkResponse(contract, { operationId, status, body });
}

describe('a response', () => {
  test('that conforms to the contract has no problems', () => {
    expect(problems('getProject', 200, project)).toEqual([]);
    expect(problems('listServices', 200, [])).toEqual([]);
    expect(problems('getProject', 404, { detail: 'No.', code: 'project_not_found' })).toEqual([]);
    expect(problems('downloadSbom', 200, { bomFormat: 'CycloneDX', x: [1] })).toEqual([]);
  });

  test('of a status that is not listed is a problem', () => {
    expect(problems('getProject', 418, {})).toEqual([
      'getProject 418: the contract does not list it',
    ]);
    expect(problems('noSuchOperation', 200, {})).toHaveLength(1);
  });

  test('that lacks a field, or has one of another type, is a problem', () => {
    expect(problems('getProject', 200, { ...project, slug: undefined })).toHaveLength(1);
    expect(problems('getProject', 200, { ...project, name: null })).toHaveLength(1);
    expect(problems('getProject', 200, { ...project, id: 'x', created_at: 'y' })).toHaveLength(2);
  });

  test('with a field that the contract does not name is a problem, at any depth', () => {
    expect(problems('getProject', 200, { ...project, secret: 1 })).toHaveLength(1);
    const page = { total: 1, page: 1, per_page: 25, total_pages: 1, has_more: false };
    expect(problems('listProjects', 200, { ...page, items: [project] })).toEqual([]);
    expect(problems('listProjects', 200, { ...page, items: [{ ...project, x: 1 }] })).toHaveLength(
      1,
    );
  });

  test('with an error code that the contract does not list is a problem', () => {
    expect(problems('getProject', 404, { detail: 'No.', code: 'nope' })).toHaveLength(1);
  });

  test('without a header that the contract requires, or with a wrong one, is a problem', () => {
    const error = { detail: 'Wait.', code: 'rate_limited' };
    const answer = { operationId: 'getProject', status: 429, body: error };
    const told = { 'x-request-id': 'r', 'retry-after': '7' };
    const breaks = (headers: Record<string, string>) =>
      checkResponse(contract, { ...answer, headers: new Headers(headers) });
    expect(breaks(told)).toEqual([]);
    expect(breaks({ ...told, 'retry-after': 'soon' })).toHaveLength(1);
    expect(breaks({})).toEqual([
      'getProject 429: lacks the header X-Request-Id',
      'getProject 429: lacks the header Retry-After',
    ]);
  });

  test('outside of operations is one of x-other-responses', () => {
    const answer = { operationId: null, body: { detail: 'No.', code: 'not_found' } };
    expect(checkResponse(contract, { ...answer, status: 404 })).toEqual([]);
    expect(checkResponse(contract, { ...answer, status: 200 })).toHaveLength(1);
    expect(checkResponse(contract, { ...answer, status: 405, headers: new Headers() })).toEqual([
      'no operation 405: lacks the header X-Request-Id',
      'no operation 405: lacks the header Allow',
    ]);
  });

  test('of a 204 has no body', () => {
    expect(problems('deleteProject', 204, undefined)).toEqual([]);
    expect(problems('deleteProject', 204, '')).toEqual([]);
    expect(problems('deleteProject', 204, {})).toEqual(['deleteProject 204: should have no body']);
  });
});
