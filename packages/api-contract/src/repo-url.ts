import { urlParsingFault, urlSchemeFault, type Fault } from './fault';

const schemes = ['http', 'https', 'ssh', 'git', 'git+https', 'git+ssh'];
/** `user@host:path`; the host is a name or address, in brackets for IPv6. */
const scpLike = /^[^\s@:/]+@(?:[^\s@:/[\]]+|\[[0-9a-f:.]+\]):\S+$/i;

/**
 * The fault of a text that should be a repository URL: one of the schemes, or scp-like
 * `user@host:path` (docs/rules.md N7). Empty text counts as null before.
 */
export function repoUrlFault(text: string): Fault | undefined {
  // URL() would silently drop tabs and line ends: the stored text would differ from the checked
  // one.
  if (/[\s\p{Cc}]/u.test(text)) return urlParsingFault('white space is not allowed');
  if (scpLike.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return urlParsingFault('expected scheme://host/path or user@host:path');
  if (!schemes.includes(scheme)) return urlSchemeFault(schemes);
  // URL() takes the host of `https:///x` from its path.
  const hasAuthority = /^[^:]+:\/\/[^/\\?#]/.test(text);
  if (!hasAuthority || !URL.canParse(text) || new URL(text).hostname === '') {
    return urlParsingFault('no valid host');
  }
  return undefined;
}

/** The fault of a text that should be the http or https address of a build, without credentials. */
export function buildUrlFault(text: string): Fault | undefined {
  if (/[\s\p{Cc}]/u.test(text)) return urlParsingFault('white space is not allowed');
  if (!/^https?:\/\/[^/\\?#]/i.test(text) || !URL.canParse(text))
    return urlParsingFault('expected http://host/path or https://host/path');
  const { username, password } = new URL(text);
  return username || password ? urlParsingFault('credentials are not allowed') : undefined;
}
