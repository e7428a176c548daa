import { once } from 'node:events';
import { Server } from 'proxy-chain';

/** A forward proxy with a password. */
export interface ForwardProxy {
  /** With credentials. */
  url: string;
  /** Without, or with wrong ones. */
  urlOf: (credentials: string) => string;
  /** `host:port` of every request and tunnel that had the right credentials, in order. */
  seen: string[];
  stop: () => Promise<void>;
}

const user = 'bomtrail';
const password = 'pass:word';

/** Starts a forward proxy that forwards http and tunnels https, for those who know the password. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const seen: string[] = [];
  const server = new Server({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: ({ username, password: given, hostname, port }) => {
      const isKnown = username === user && given === password;
      if (isKnown) seen.push(`${hostname}:${port}`);
      return { requestAuthentication: !isKnown };
    },
  });
  await server.listen();
  const urlOf = (credentials: string): string => `http://${credentials}127.0.0.1:${server.port}`;
  return {
    url: urlOf(`${user}:${encodeURIComponent(password)}@`),
    urlOf,
    seen,
    async stop() {
      const closed = once(server.server, 'close');
      await server.close(true);
      await closed.catch(() => {});
    },
  };
}
