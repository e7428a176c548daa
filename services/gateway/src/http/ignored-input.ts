import type { ContractOperation } from '@bomtrail/api-contract';
import type { Request, Response } from 'express';
import { withoutSecrets } from '../api-keys/domain/api-key';

/** Lists ignored query parameters in `Warning` (docs/rules.md H6). */
export function warnOfIgnoredQuery(
  { validators }: ContractOperation,
  { query }: Pick<Request, 'query'>,
  response: Pick<Response, 'append'>,
): void {
  const names = validators.ignoredQuery(query as Record<string, string | string[]>);
  warn(response, 'query parameter', names);
}

/** The same of the fields of a JSON body or a form: a misspelt `expires_at` decides for ever. */
export function warnOfIgnoredFields(
  { validators }: ContractOperation,
  body: unknown,
  response: Pick<Response, 'append'>,
): void {
  warn(response, 'field', validators.ignoredFields(body));
}

/** Percent-encodes the names for the header, which allows no quotes, line ends or non-ASCII. */
function warn(response: Pick<Response, 'append'>, what: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const warnings = names.map((name) => {
    const logged = encodeURIComponent(withoutSecrets(name.replace(/\p{Surrogate}/gu, '\uFFFD')));
    return `299 - "unknown ${what} '${logged}' is ignored"`;
  });
  response.append('Warning', warnings.join(', '));
}
