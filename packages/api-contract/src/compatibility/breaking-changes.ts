import { isDeepStrictEqual } from 'node:util';
import { operationsOf } from '../contract';
import { dereference } from '../dereference';
import type { OperationObject, ResolvedDocument } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { operationBreaks, responsesBreaks } from './operation';

/**
 * What in the current contract would break a client of the released one (docs/rules.md O1). A difference in a keyword that no rule knows counts as a break, so that nothing
 * slips through unseen.
 *
 * @returns the breaks; none when everything new is additive
 */
export function breakingChanges(released: object, current: object): BreakingChange[] {
  const [before, now] = [dereference(released), dereference(current)];
  const operations = operationsOf(now);
  return [
    ...serverBreaks(before, now),
    ...operationsOf(before).flatMap(({ method, path, operation }) => {
      const where = operation.operationId;
      if (!now.paths[path]) return [breaks('path-removed', `${where} ${path}`)];
      const kept = operations.find((each) => each.path === path && each.method === method);
      if (!kept) return [breaks('operation-removed', where)];
      return [
        ...(isDeepStrictEqual(securityOf(before, operation), securityOf(now, kept.operation))
          ? []
          : [breaks('security-changed', where)]),
        ...operationBreaks(operation, kept.operation),
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

/** How a caller proves itself: the schemes that an operation asks for, as they are declared. */
function securityOf(document: ResolvedDocument, operation: OperationObject): unknown {
  const schemes = document.components.securitySchemes ?? {};
  return (operation.security ?? document.security ?? []).map((demand) =>
    Object.entries(demand).map(([name, scopes]) => {
      const { description: _, bearerFormat: __, ...scheme } = schemes[name] ?? {};
      return { scopes: scopes as unknown, scheme };
    }),
  );
}
