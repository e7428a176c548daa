import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { ValidationError } from '../shared/http-error';

/** Filters by owner and labels, as clients send them. */
export interface OwnedBy {
  owner?: string | undefined;
  label?: string[] | undefined;
}

/** Filters of lists of vulnerabilities and plans: also whether there is an owner. */
export type OwnedOrNot = OwnedBy & { has_owner?: boolean | undefined };

/** The same as the catalog takes them; undefined: neither is given. */
export function ownershipFilter({ owner, label }: OwnedBy): messages.OwnershipFilter | undefined {
  if (owner === undefined && label === undefined) return undefined;
  return { ...(owner !== undefined && { owner }), ...(label && { labels: label }) };
}

/**
 * The services that filters by owner and labels select; undefined: there are no such filters. `at`: where the request
 * has them, if not in its query.
 *
 * @throws ValidationError if they are too many for a list; AppError `service_unavailable`
 */
export async function ownedServices(
  { request }: { request: Request },
  by: OwnedOrNot & { at?: readonly ['body', 'filter'] },
  within: messages.ProjectScope | undefined,
): Promise<string[] | undefined> {
  const { has_owner } = by;
  const filter = ownershipFilter(by);
  if (!filter && has_owner === undefined) return undefined;
  const { body } = await request(messages.findOwnedServices, {
    ...filter,
    ...(has_owner !== undefined && { has_owner }),
    ...(within !== undefined && { project_id: within }),
  });
  if (body.complete) return body.service_ids;
  const error = `these are more than ${messages.maxOwnedServices} services: add project_id, or another owner or label`;
  const field = by.owner !== undefined ? 'owner' : by.label ? 'label' : 'has_owner';
  const problem = { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
  throw new ValidationError([
    { loc: [...(by.at ?? ['query']), field], input: by[field], ...problem },
  ]);
}

/** The services that both name; undefined names all. */
export function inBoth(
  named: readonly string[] | undefined,
  owned: readonly string[] | undefined,
): string[] | undefined {
  if (!named || !owned) return (named ?? owned)?.slice();
  const those = new Set(owned);
  return named.filter((id) => those.has(id));
}
