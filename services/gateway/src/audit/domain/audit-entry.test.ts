import { outcomeWord, resourcesIn, resourcesInResponse } from './audit-entry';

const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';

test.each([
  [null, 'unknown'],
  [{ kind: 'aborted' as const }, 'aborted'],
  [{ kind: 'responded' as const, status: 201, code: null }, 'succeeded'],
  [{ kind: 'responded' as const, status: 404, code: 'sbom_not_found' }, 'refused'],
  [{ kind: 'responded' as const, status: 503, code: 'service_unavailable' }, 'failed'],
])('%j is told as %s', (outcome, word) => {
  expect(outcomeWord(outcome)).toBe(word);
});

test('of what a client sent only the ids are kept, in lower case', () => {
  expect(
    resourcesIn({
      project_id: id.toUpperCase(),
      service_id: 'x',
      sbom_id: 7,
      name: id,
      reason: 'r',
    }),
  ).toEqual({ project_id: id });
  expect([resourcesIn(null), resourcesIn('text'), resourcesIn(undefined)]).toEqual([{}, {}, {}]);
});

test('what an operation has created goes by its name in the contract', () => {
  expect(resourcesInResponse('uploadSbom', { id })).toEqual({ sbom_id: id });
  expect(resourcesInResponse('createApiKey', { id, key: 'x' })).toEqual({ api_key_id: id });
  expect(resourcesInResponse('updateProject', { id })).toEqual({});
  expect(resourcesInResponse('createProject', null)).toEqual({});
});

test('the project in a response is that of the call', () => {
  const project = { project_id: id };
  expect(resourcesInResponse('updateAcceptance', { id, ...project })).toEqual(project);
  expect(resourcesInResponse('importVex', { id, ...project })).toEqual({ ...project, vex_id: id });
  expect(resourcesInResponse('importVex', { id, project_id: null })).toEqual({ vex_id: id });
});
