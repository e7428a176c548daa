import { loadContract } from '@bomtrail/api-contract';
import { operationRights } from '../access/domain/operation-rights';
import { scopesWith } from '../access/domain/rights';
import { routes, type RouteDeps } from './routes';

const { operations } = loadContract();
const served = routes({ build: {}, openapi: {} } as RouteDeps);

test('every operation of the contract is served, and nothing else', () => {
  expect(Object.keys(served).sort()).toEqual([...operations.keys()].sort());
});

test('an operation needs a right exactly when the contract asks for a key', () => {
  for (const operationId of Object.keys(served)) {
    expect([operationId, operationRights[operationId] !== null]).toEqual([
      operationId,
      operations.get(operationId)?.secured,
    ]);
  }
});

test('a GET asks for read, nothing else does; what is the admin’s asks for that alone', () => {
  for (const [operationId, right] of Object.entries(operationRights)) {
    const scopes = right ? scopesWith(right) : ['admin' as const];
    // No scope: for people alone.
    if (scopes.includes('admin') || scopes.length === 0) continue;
    expect([operationId, scopes.includes('read')]).toEqual([
      operationId,
      operations.get(operationId)?.method === 'GET',
    ]);
  }
});
