import { ApiError } from '../../api/errors';
import { text } from '../../text/en';

/**
 * For values that are sent as a whole: what somebody else has made of them since a form was opened would be lost.
 *
 * @throws ApiError if one of these values is stored otherwise than it was
 */
export function refuseIfChanged<T extends object>(
  before: T,
  stored: T,
  names: readonly (keyof T)[],
): void {
  if (names.every((name) => inOneForm(before[name]) === inOneForm(stored[name]))) return;
  throw new ApiError(text.errors.changedMeanwhile, { status: 409, code: 'changed_meanwhile' });
}

/** The same text for what is the same: fields in any order, what is absent as null. */
function inOneForm(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value ?? null);
  const there = Object.entries(value).filter(([, part]) => (part ?? null) !== null);
  return JSON.stringify(there.sort(([one], [other]) => (one < other ? -1 : 1)));
}
