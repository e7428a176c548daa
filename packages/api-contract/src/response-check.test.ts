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
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: null,
};

function problems(operationId: string, status: number, body: unknown): string[] {
  return checkResponse(contract, { operationId, status, body });
}

describe('a response', () => {
  test('as the contract says has no problems', () => {
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

  test('of a 204 has no body', () => {
    expect(problems('deleteProject', 204, undefined)).toEqual([]);
    expect(problems('deleteProject', 204, '')).toEqual([]);
    expect(problems('deleteProject', 204, {})).toEqual(['deleteProject 204: should have no body']);
  });
});
