/** Proxies of outgoing connections. */
export interface Proxies {
  /** For https targets; null: direct. */
  https: URL | null;
  /** For http targets; null: direct. */
  http: URL | null;
  /** Hosts to reach directly, lower case: a name and everything below it, an address, `host:port`, or `*`. */
  direct: readonly string[];
}

/** Every connection is direct. */
export const noProxies: Proxies = { https: null, http: null, direct: [] };

type Name = 'https_proxy' | 'http_proxy' | 'no_proxy';
/** Environment, or settings. */
type Env = { readonly [Key in Name | Uppercase<Name>]?: string | undefined };

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in lower case first, as curl does. An empty variable counts as not
 * set. Without `HTTPS_PROXY`, https targets are direct.
 *
 * @throws Error that names the variable, without its value, which may have a password
 */
export function readProxies(env: Env): Proxies {
  const direct = named(env, 'no_proxy')?.value ?? '';
  return {
    https: readProxy(named(env, 'https_proxy')),
    http: readProxy(named(env, 'http_proxy')),
    direct: direct
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((one) => one !== ''),
  };
}

function named(env: Env, lower: Name): { name: string; value: string } | null {
  for (const name of [lower, lower.toUpperCase() as Uppercase<Name>]) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return null;
}

function readProxy(given: { name: string; value: string } | null): URL | null {
  if (given === null) return null;
  const text = given.value.includes('://') ? given.value : `http://${given.value}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Error(`${given.name} is no address such as http://proxy.example.org:3128.`);
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw new Error(`${given.name} has a % in its name or password: write it as %25.`);
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The proxy for a target; null: direct. */
export function proxyFor({ https, http, direct }: Proxies, target: URL): URL | null {
  const proxy = target.protocol === 'https:' ? https : http;
  if (proxy === null) return null;
  const host = target.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return direct.some((entry) => isNamed(entry, host, port)) ? null : proxy;
}

function isNamed(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const match = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry);
  // More than one colon and no brackets: an address of version 6.
  const [name = entry, wantedPort] = match ? [match[1], match[2]] : [entry];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const wanted = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}
