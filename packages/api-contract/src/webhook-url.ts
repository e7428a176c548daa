import { urlParsingFault, urlSchemeFault, valueError, type Fault } from './fault';
import { isInternalHost } from './internal-host';

/**
 * What is wrong with a text that should be the address of a webhook: https, to a place that is not
 * visibly an internal one (docs/rules.md AL4), without user and password.
 * No fault repeats anything of the text: the address itself is the secret that lets one post.
 *
 * @param rule.anyAddress the deployment allows `http` and internal addresses, too
 */
export function webhookUrlFault(text: string, rule: { anyAddress: boolean }): Fault | undefined {
  // URL() would drop tabs and line ends silently, so that other text than was checked is stored.
  if (/[\s\p{Cc}]/u.test(text)) return urlParsingFault('white space is not allowed');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return urlParsingFault('expected https://host/path');
  const schemes = rule.anyAddress ? ['https', 'http'] : ['https'];
  if (!schemes.includes(scheme)) return urlSchemeFault(schemes);
  if (!URL.canParse(text)) return urlParsingFault('no valid host');
  const { hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') {
    return valueError('a user or password in the URL is not allowed');
  }
  if (rule.anyAddress || !isInternalHost(hostname)) return undefined;
  return valueError('private, loopback, link-local and other internal addresses are not allowed');
}
