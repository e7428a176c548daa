import { AppError } from '@bomtrail/messages';
import * as client from 'openid-client';
import { personIn, type Person } from '../access/domain/person';
import {
  factsIn,
  groupsIn,
  type PersonFacts,
  type RoleMapping,
} from '../access/domain/role-mapping';
import type { Provider } from './provider';

export interface AskProviderDeps {
  provider: Provider;
  /** Where the provider sends people back to. */
  redirectUri: string;
  scopes: string;
  groupsClaim: string;
  mapping: RoleMapping;
}

/** Who signed in, by the provider. */
export interface SignedIn {
  person: Person;
  facts: PersonFacts;
  refreshToken: string | null;
  idToken: string | null;
}

/** What the browser and the gateway remember of a sign-in. */
export interface Challenge {
  state: string;
  nonce: string;
  code_verifier: string;
}

export type AskProvider = ReturnType<typeof createAskProvider>;

/** Asks the provider, by the authorization code flow with PKCE (RFC 9700, 2.1.1). */
export function createAskProvider(deps: AskProviderDeps) {
  const { provider, redirectUri, scopes, groupsClaim, mapping } = deps;

  async function signedIn(
    configuration: client.Configuration,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
    subject: string | undefined,
  ): Promise<SignedIn> {
    let claims: Record<string, unknown> = { ...tokens.claims() };
    const known = claims['sub'] ?? subject;
    const { userinfo_endpoint, issuer } = configuration.serverMetadata();
    // Some providers put groups, names and addresses there alone.
    const isWhole = groupsIn(claims, groupsClaim).length > 0 && claims['email'] !== undefined;
    if (!isWhole && userinfo_endpoint && typeof known === 'string') {
      const { access_token } = tokens;
      claims = { ...(await client.fetchUserInfo(configuration, access_token, known)), ...claims };
    }
    if (subject !== undefined && claims['sub'] !== subject) throw new AppError('session_ended');
    return {
      person: personIn({ iss: issuer, ...claims }),
      facts: factsIn(claims, { mapping, groupsClaim }),
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
    };
  }

  return {
    /** The address where a person signs in, and what to remember. @throws AppError `service_unavailable` */
    async begin(): Promise<Challenge & { url: URL }> {
      const configuration = await provider.configuration();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const code_verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      });
      return { url, state, nonce, code_verifier };
    },

    /**
     * Exchanges the code that the provider sent back.
     *
     * @param query of the callback, with `state`, `iss`, and `code` or `error`
     * @throws AppError `service_unavailable`; errors of the provider and of the checks of its answer
     */
    async complete(query: string, { state, nonce, code_verifier }: Challenge): Promise<SignedIn> {
      const configuration = await provider.configuration();
      const url = new URL(`${redirectUri}${query}`);
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      });
      return signedIn(configuration, tokens, undefined);
    },

    /**
     * @throws AppError `session_ended` if the provider names somebody else, `service_unavailable`;
     *   errors of the provider
     */
    async renew(refreshToken: string, subject: string): Promise<SignedIn> {
      const configuration = await provider.configuration();
      const tokens = await client.refreshTokenGrant(configuration, refreshToken);
      return signedIn(configuration, tokens, subject);
    },

    /** Gives up a refresh token, and says where the provider's own session is ended; null: nowhere. */
    async end(
      secrets: { refresh_token: string | null; id_token: string | null },
      returnTo: string,
    ): Promise<URL | null> {
      const configuration = await provider.configuration();
      const { end_session_endpoint, revocation_endpoint } = configuration.serverMetadata();
      const { refresh_token, id_token } = secrets;
      if (revocation_endpoint && refresh_token !== null)
        await client.tokenRevocation(configuration, refresh_token).catch(() => undefined);
      if (!end_session_endpoint) return null;
      return client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(id_token === null ? {} : { id_token_hint: id_token }),
      });
    },
  };
}
