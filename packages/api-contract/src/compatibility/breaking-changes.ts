import { isDeepStrictEqual } from 'node:util';
import { operationsOf } from '../contract';
import { dereference } from '../dereference';
import type { OperationObject, ResolvedDocument } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { operationBreaks, responsesBreaks } from './operation';

/**
 * Changes of the current contract that break clients of the released one (docs/rules.md O1). A
 * difference in an unknown keyword counts as a break.
 *
 * @returns the breaks; empty if every change is additive
 */
export function breakingChanges(released: object, current: object): BreakingChange[] {
  const [before, now] = [dereference(released), dereference(current)];
  const operations = operationsOf(now);
  return [
    ...serverBreaks(before, now),
    ...operationsOf(before).flatMap(({ method, path, operation }) => {
      const where = operation.operationId;
      if (!now.paths[path]) return [breaks('path-removed', `${where} ${path}`)];
      const remaining = operations.find((each) => each.path === path && each.method === method);
      if (!remaining) return [breaks('operation-removed', where)];
      return [
        ...(isDeepStrictEqual(securityOf(before, operation), securityOf(now, remaining.operation))
          ? []
          : [breaks('security-changed', where)]),
        ...operationBreaks(operation, remaining.operation),
      ];
    }),
    ...responsesBreaks(
      before['x-other-responses'] ?? {},
      now['x-other-responses'] ?? {},
      'no operation',
    ).filter(() => before['x-other-responses'] !== undefined),
  ];
}

function serverBreaks(before: ResolvedDocument, now: ResolvedDocument): BreakingChange[] {
  const urls = (now.servers ?? []).map(({ url }) => url);
  return (before.servers ?? [])
    .filter(({ url }) => !urls.includes(url))
    .map(({ url }) => breaks('server-removed', url));
}

/** The declared security schemes of an operation. */
function securityOf(document: ResolvedDocument, operation: OperationObject): unknown {
  const schemes = document.components.securitySchemes ?? {};
  return (operation.security ?? document.security ?? []).map((demand) =>
    Object.entries(demand).map(([name, scopes]) => {
      const { description: _, bearerFormat: __, ...scheme } = schemes[name] ?? {};
      return { scopes: scopes as unknown, scheme };
    }),
  );
}
