import { AppError } from '@bomtrail/messages';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Provider } from '../sign-in/provider';

/** Asymmetric ones alone: with a shared secret whoever can check a token could make one. */
export const tokenAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Accepted difference of the clocks, in seconds. */
const clockSkewSeconds = 30;
const keysTimeoutMs = 5_000;
/** A token of an unknown key makes the keys be read again, at most this often. */
const unknownKeyEveryMs = 5_000;
/** Keys that the provider has withdrawn are accepted at most this long. */
const keysMaxAgeMs = 10 * 60_000;

export type CheckToken = (token: string) => Promise<JWTPayload & { sub: string; exp: number }>;

/**
 * Checks access tokens: signature by a key of the provider, issuer, audience, time (docs/rules.md
 * AU1).
 *
 * @throws AppError `invalid_token`; `service_unavailable` if the provider's keys cannot be read
 */
export function createCheckToken(
  provider: Provider,
  { audience, now }: { audience: string; now: () => Date },
): CheckToken {
  let keys: JWTVerifyGetKey | null = null;

  return async (token) => {
    const { issuer, jwks_uri } = (await provider.configuration()).serverMetadata();
    if (jwks_uri === undefined) throw unavailable();
    keys ??= createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: keysTimeoutMs,
      cooldownDuration: unknownKeyEveryMs,
      cacheMaxAge: keysMaxAgeMs,
    });
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: tokenAlgorithms,
        clockTolerance: clockSkewSeconds,
        currentDate: now(),
        requiredClaims: ['sub', 'exp'],
      });
      return payload as JWTPayload & { sub: string; exp: number };
    } catch (error) {
      throw rejectionOf(error);
    }
  };
}

function rejectionOf(error: unknown): AppError {
  if (error instanceof errors.JWTExpired)
    return new AppError('invalid_token', 'The access token has expired: get a new one.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new AppError(
      'invalid_token',
      `The access token is not for here: its claim ${error.claim} is wrong.`,
    );
  const isKeysError = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  // The library reports a response other than 200 as the plain base class.
  const isPlain = error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
  if (isKeysError || isPlain || !(error instanceof errors.JOSEError)) return unavailable();
  return new AppError('invalid_token');
}

function unavailable(): AppError {
  return new AppError(
    'service_unavailable',
    'The keys of the identity provider cannot be read: repeat the request after the seconds in Retry-After.',
  );
}
