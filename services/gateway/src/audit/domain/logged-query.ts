import { withoutSecrets } from '../../api-keys/domain/api-key';

/**
 * A query for log lines: values of known parameters, only the names of others, whose values may be
 * passwords or tokens.
 *
 * @param query without the `?`
 * @param known names of the contract's query parameters
 */
export function loggedQuery(query: string, known: ReadonlySet<string>): string {
  if (query === '') return '';
  const parts = query.split('&').map((part) => {
    const at = part.indexOf('=');
    const name = at < 0 ? part : part.slice(0, at);
    if (known.has(name)) return part;
    return at < 0 ? '…' : `${name}=…`;
  });
  return withoutSecrets(parts.join('&'));
}
