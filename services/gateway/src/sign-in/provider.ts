import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import * as client from 'openid-client';
import { isUnreachable } from './provider-errors';

/** What the settings say about the identity provider. */
export interface ProviderSettings {
  issuer: string;
  /** Of the page; for tokens alone it is not needed. */
  clientId: string | undefined;
  clientSecret: string | undefined;
}

/** The provider, as it describes itself; read when first needed. */
export interface Provider {
  /** @throws AppError `service_unavailable` */
  configuration(): Promise<client.Configuration>;
}

/** Maximum seconds of a request to the provider. */
const timeoutSeconds = 5;
/** While the provider is away, one request asks; the others are told at once. */
const retryAfterMs = 1_000;

const away =
  'The identity provider cannot be reached: sign in again later. API keys and existing sessions work.';

/**
 * The identity provider. Its description is read once per process; its keys are read again as they
 * rotate.
 */
export function createProvider(settings: ProviderSettings, { log }: { log: Logger }): Provider {
  let known: Promise<client.Configuration> | null = null;
  let failedAt = -Infinity;

  async function discover(): Promise<client.Configuration> {
    const { issuer, clientId = 'bomtrail', clientSecret } = settings;
    const url = new URL(issuer);
    // The settings allow http for this machine alone.
    const plain = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const execute = [...plain, client.enableNonRepudiationChecks];
    const found = await client.discovery(url, clientId, undefined, client.None(), {
      execute: plain,
      timeout: timeoutSeconds,
    });
    const metadata = found.serverMetadata();
    const configuration = new client.Configuration(
      metadata,
      clientId,
      undefined,
      authenticationOf(metadata, clientSecret),
    );
    configuration.timeout = timeoutSeconds;
    for (const apply of execute) apply(configuration);
    return configuration;
  }

  return {
    async configuration() {
      if (known) return known;
      if (performance.now() - failedAt < retryAfterMs)
        throw new AppError('service_unavailable', away);
      known = discover();
      try {
        return await known;
      } catch (error) {
        known = null;
        failedAt = performance.now();
        log.warn(
          { err: error, unreachable: isUnreachable(error) },
          'The identity provider cannot be used.',
        );
        throw new AppError('service_unavailable', away);
      }
    },
  };
}

/** RFC 8414: without a list, a provider takes `client_secret_basic`. */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods }: client.ServerMetadata,
  secret: string | undefined,
): client.ClientAuth {
  if (secret === undefined) return client.None();
  const isBasic = !methods || methods.includes('client_secret_basic');
  return isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}
