import { urlParsingFault, urlSchemeFault, valueError, type Fault } from './fault';
import { isInternalHost } from './internal-host';

/**
 * The fault of a text that should be a webhook URL: https, not visibly internal (docs/rules.md
 * AL4), without user and password. Faults repeat no part of the URL, because it is a secret.
 *
 * @param rule.anyAddress the deployment allows `http` and internal addresses
 */
export function webhookUrlFault(text: string, rule: { anyAddress: boolean }): Fault | undefined {
  // URL() would silently drop tabs and line ends: the stored text would differ from the checked
  // one.
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
