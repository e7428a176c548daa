import { fork, type ChildProcess } from 'node:child_process';
import type { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';

/** A signing key of the provider. */
export interface ProviderKey {
  privateKey: webcrypto.CryptoKey;
  publicKey: webcrypto.CryptoKey;
  jwk: JWK & { alg: string; kid: string };
}

export interface TestProvider {
  issuer: string;
  key: ProviderKey;
  /** Signs a token as the provider does; a claim that is undefined is left out. */
  token(claims?: JWTPayload, key?: ProviderKey): Promise<string>;
  /** Starts it again with another key, and returns that. */
  rotate(): Promise<ProviderKey>;
  /** Changes who people are, by a restart. */
  change(people: Record<string, object>): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const tokenAudience = 'urn:bomtrail:api';
/** Nothing listens there: a test's browser knows where the gateway is. */
export const pageOrigin = 'http://bomtrail.test';

export const usualPeople = {
  kim: { name: 'Kim', email: 'kim@example.org', email_verified: true, groups: ['team-a', 'staff'] },
  sam: { name: 'Sam', email: 'sam@example.org', email_verified: true, groups: [] },
};

let keyCount = 0;

export async function providerKey(alg = 'RS256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  keyCount += 1;
  const jwk = { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `key-${keyCount}` };
  return { privateKey, publicKey, jwk };
}

/** Starts a certified provider (`oidc-provider`) as a process. */
export async function startOidcProvider(): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let people: Record<string, object> = usualPeople;
  let key = await providerKey();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const settings = {
      port,
      keys: [key.jwk],
      redirectUri: `${pageOrigin}/auth/callback`,
      audience: tokenAudience,
      people,
    };
    const file = join(__dirname, 'oidc-provider-process.mjs');
    const started = fork(file, [JSON.stringify(settings)], { silent: true, execArgv: [] });
    let said = '';
    started.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    started.stdout?.resume();
    child = started;
    const failed = once(started, 'exit').then(() => {
      throw new Error(`The provider has ended: ${said}`);
    });
    failed.catch(() => undefined);
    await Promise.race([once(started, 'message'), failed]);
  }

  async function stop(): Promise<void> {
    const running = child;
    child = null;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    issuer,
    get key() {
      return key;
    },
    token(claims = {}, by = key) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer, aud: tokenAudience, sub: 'kim', iat: now, exp: now + 300 };
      return new SignJWT({ ...usual, groups: ['team-a'], ...claims })
        .setProtectedHeader({ alg: by.jwk.alg, kid: by.jwk.kid, typ: 'at+jwt' })
        .sign(by.privateKey);
    },
    async rotate() {
      await stop();
      key = await providerKey();
      await start();
      return key;
    },
    async change(changed) {
      await stop();
      people = changed;
      await start();
    },
    stop,
    start,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
