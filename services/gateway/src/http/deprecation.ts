import { operationFinder, type ContractOperation } from '@bomtrail/api-contract';
import type { RequestHandler } from 'express';

/**
 * Puts the date of removal on every answer of a deprecated operation, also on its errors (hence it
 * stands before the key is asked for): `Deprecation` and `Sunset`, both the HTTP date of that day's
 * first moment (docs/rules.md O2). The operation
 * is served unchanged. What is deprecated, the contract alone says.
 */
export function announceRemoval(
  operations: ReadonlyMap<string, ContractOperation>,
): RequestHandler {
  const find = operationFinder(operations.values());
  const nothingDeprecated = [...operations.values()].every(
    ({ removalDate }) => removalDate === null,
  );
  return (request, response, next) => {
    const removalDate = nothingDeprecated ? null : find(request.method, request.path)?.removalDate;
    if (removalDate) {
      const date = new Date(`${removalDate}T00:00:00.000Z`).toUTCString();
      response.set({ Deprecation: date, Sunset: date });
    }
    next();
  };
}
