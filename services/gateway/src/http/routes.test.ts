import { loadContract } from '@bomtrail/api-contract';
import { routes, type RouteDeps } from './routes';

const { operations } = loadContract();
const served = routes({ build: {}, openapi: {} } as RouteDeps);

test('every operation of the contract is served, and nothing else', () => {
  expect(Object.keys(served).sort()).toEqual([...operations.keys()].sort());
});

test('an operation needs a scope exactly when the contract asks for a key', () => {
  for (const [operationId, route] of Object.entries(served)) {
    expect([operationId, route.scopes !== null]).toEqual([
      operationId,
      operations.get(operationId)?.secured,
    ]);
  }
});

test('a GET asks for read, nothing else does; what is the admin’s asks for that alone', () => {
  for (const [operationId, route] of Object.entries(served)) {
    if (route.scopes === null || route.scopes.includes('admin')) continue;
    expect([operationId, route.scopes.includes('read')]).toEqual([
      operationId,
      operations.get(operationId)?.method === 'GET',
    ]);
  }
});
