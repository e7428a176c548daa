import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

/** `code` of the error if the proxy opens no tunnel; its status follows. */
export const proxyRefused = 'EPROXY';

export interface TunnelRequest {
  proxy: URL;
  /** Host name or address; one of version 6 without brackets. */
  host: string;
  port: number;
  signal: AbortSignal;
}

/**
 * Opens a tunnel through an HTTP proxy (RFC 9110, 9.3.6). Only the proxy gets the credentials of its address.
 *
 * @throws the connection's error; one with the code `EPROXY<status>` for any status but 200
 */
export function openTunnel({ proxy, host, port, signal }: TunnelRequest): Promise<Socket> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const open = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((opened, failed) => {
    open({
      method: 'CONNECT',
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: authority,
      headers: { Host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
    })
      .once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
        // Bytes before ours are none of the receiver's, who waits for us to begin.
        if (response.statusCode === 200 && head.length === 0) return opened(socket);
        socket.destroy();
        failed(statusError(response));
      })
      .once('response', (response: IncomingMessage) => {
        response.destroy();
        failed(statusError(response));
      })
      .once('error', failed)
      .once('close', () => failed(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
      .end();
  });
}

function statusError({ statusCode }: IncomingMessage): Error {
  return Object.assign(new Error('no tunnel'), { code: `${proxyRefused}${statusCode ?? ''}` });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
