import { loadContract } from './contract';
import { operationFinder } from './find-operation';

const find = operationFinder(loadContract().operations.values());

test.each([
  ['GET', '/api/v1/projects', 'listProjects'],
  ['HEAD', '/api/v1/projects', 'listProjects'],
  ['POST', '/api/v1/projects', 'createProject'],
  ['GET', '/api/v1/projects/%zz', 'getProject'],
  ['GET', '/api/v1/sboms/a/diff/b', 'diffSboms'],
  ['POST', '/api/v1/sboms/upload', 'uploadSbom'],
  ['GET', '/api/openapi.json', 'getOpenapi'],
])('%s %s is %s', (method, path, operationId) => {
  expect(find(method, path)?.operationId).toBe(operationId);
});

test.each([
  ['GET', '/api/v1/sboms/upload'],
  ['OPTIONS', '/api/v1/projects'],
  ['PUT', '/api/v1/projects'],
  ['GET', '/api/v1/projects/'],
  ['GET', '/api/v1/Projects'],
  ['GET', '/api/openapi_json'],
  ['GET', '/api/v1/projects/a/b'],
])('%s %s is taken by no operation', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});
