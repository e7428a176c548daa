import { AppError } from '@bomtrail/messages';
import { projectsWith, type Caller } from '../api-keys/domain/caller';
import { confirmedDays } from './domain/own-key';
import type { Person } from './domain/person';
import { rolesWith, scopesWith, type Right } from './domain/rights';

/**
 * The caller for an operation: only projects in which the caller has its right exist.
 *
 * @throws AppError `insufficient_scope` with what is missing and the remedy
 */
export function requireRight(caller: Caller, right: Right): Caller {
  const projects = projectsWith(caller, right);
  if (projects.length === 0) throw new AppError('insufficient_scope', missing(caller, right));
  return { ...caller, projects };
}

function missing({ identity, grants }: Caller, right: Right): string {
  if (identity.kind === 'key') {
    const needed = scopesWith(right).join(' or ');
    if (grants.some(({ rights }) => rights.has(right)))
      return `This call is not about one project, and this key is bound to one. Use a key with the scope ${needed} that is bound to none.`;
    if (needed === '')
      return 'Keys of their own are for people who sign in; use POST /api/v1/api-keys for others.';
    if (identity.owner) return missingToOwner(identity.owner, right);
    return `This call needs an API key with the scope ${needed}; this key has ${identity.scopes.join(', ')}. Use another key, or create one with that scope.`;
  }
  const who = identity.email ?? identity.subject;
  if (identity.roles.length === 0)
    return `${who} has no role here: ask an administrator of this installation to map you or one of your groups to a role.`;
  const own = [...new Set(identity.roles.map(({ role }) => role))].join(', ');
  return `This call needs the role ${rolesWith(right).join(' or ')}; ${who} has ${own}. Ask an administrator of this installation for it.`;
}

function missingToOwner(
  { subject, email }: Pick<Person, 'subject' | 'email'>,
  right: Right,
): string {
  const who = email ?? subject;
  return `This key may do no more than ${who}, who has signed in within ${confirmedDays} days: this call needs the role ${rolesWith(right).join(' or ')} and a scope of ${scopesWith(right).join(' or ')}. Sign in again, or ask an administrator of this installation.`;
}

/**
 * Refuses a caller who has lost projects since a call began, because its reply may show them.
 *
 * @throws AppError `insufficient_scope`
 */
export function expectSameReach(before: Caller, now: Caller): void {
  if (now.projects === 'all') return;
  const left = new Set(now.projects);
  if (before.projects !== 'all' && before.projects.every((one) => left.has(one))) return;
  throw new AppError(
    'insufficient_scope',
    'Your rights were changed while this call was running: repeat it.',
  );
}
