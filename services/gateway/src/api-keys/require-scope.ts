import { AppError } from '@bomtrail/messages';
import type { Scope } from './domain/api-key';
import { hasScope, type Caller } from './domain/caller';

/**
 * @param anyOf sufficient scopes
 * @throws AppError `insufficient_scope` with the missing scope and the remedy
 */
export function requireScope(caller: Caller, anyOf: readonly Scope[]): void {
  if (hasScope(caller, anyOf)) return;
  throw new AppError(
    'insufficient_scope',
    `This call needs an API key with the scope ${anyOf.join(' or ')}; this key has ${caller.scopes.join(', ')}. Use another key, or create one with that scope.`,
  );
}
