import { operationFinder, type ContractOperation } from '@bomtrail/api-contract';
import type { RequestHandler } from 'express';

/**
 * Adds `Deprecation` and `Sunset` to every response of a deprecated operation, including errors
 * (hence before authentication): the HTTP date of midnight of its removal date (docs/rules.md O2).
 * The contract alone declares deprecation.
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
