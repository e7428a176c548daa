import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The part of an OpenID Connect provider that access tokens need: a description and a key. */
export interface TokenIssuer {
  issuer: string;
  audience: string;
  /** A token of a person with these groups. */
  token(subject: string, groups: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** The gateway's own tests use a whole provider. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'e2e', use: 'sig' };
  const audience = 'urn:bomtrail:e2e';
  const server = createServer((request, response) => {
    const document = request.url?.startsWith('/keys')
      ? { keys: [jwk] }
      : {
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
        };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    audience,
    token: (subject, groups) =>
      new SignJWT({ groups: [...groups] })
        .setProtectedHeader({ alg: 'ES256', kid: 'e2e' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
