import type * as Undici from 'undici';
import { proxyFor, type Proxies } from './proxies';

/**
 * A `fetch` that connects through the proxy for each target: https by a tunnel, so that the proxy sees only the host;
 * http is forwarded. Credentials in the proxy's address are sent to the proxy only. The platform's `fetch` if there is
 * no proxy.
 */
export function proxiedFetch(proxies: Proxies): typeof fetch {
  if (proxies.https === null && proxies.http === null) return fetch;
  // Loaded on demand: it takes a third of the start time of the command line.
  // oxlint-disable-next-line typescript/no-require-imports
  const undici = require('undici') as typeof Undici;
  const agents = new Map<string, Undici.Dispatcher>();
  const agentOf = (proxy: URL): Undici.Dispatcher => {
    const known = agents.get(proxy.href);
    if (known) return known;
    const made = new undici.ProxyAgent({ uri: proxy.href, proxyTunnel: false });
    agents.set(proxy.href, made);
    return made;
  };
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyFor(proxies, target);
    if (proxy === null) return fetch(input, init);
    const options = { ...init, dispatcher: agentOf(proxy) } as Undici.RequestInit;
    try {
      return (await undici.fetch(target, options)) as unknown as Response;
    } catch (error) {
      throw throughProxy(error, proxy);
    }
  };
}

/** Says which proxy failed, without its credentials. */
function throughProxy(error: unknown, proxy: URL): unknown {
  const { cause, message } = error as { cause?: Failure; message: string };
  if (typeof cause?.message !== 'string') return error;
  const named = new Error(`${textOf(cause)} (proxy ${proxy.host})`, { cause });
  const code = typeof cause.code === 'string' ? { code: cause.code } : {};
  return new TypeError(message, { cause: Object.assign(named, code) });
}

/** An Error, or a DOMException with the Error as its cause. */
interface Failure {
  message?: unknown;
  code?: unknown;
  cause?: Failure;
}

function textOf({ message, cause }: Failure): string {
  return [message, cause?.message].filter((text) => typeof text === 'string').join(' ');
}
