import { isDuplicateKey } from '@bomtrail/mongo';
import { v7 } from 'uuid';
import { hashSecret, parseApiKey } from './domain/api-key';
import type { ApiKeysStore } from './store/api-keys-store';

export interface KeepBootstrapKeyDeps {
  keys: ApiKeysStore;
  now: () => Date;
}

/**
 * Stores the key of `BOMTRAIL_BOOTSTRAP_API_KEY` (docs/rules.md AK3): all scopes, no expiry.
 *
 * @param text well-formed; the settings have validated it
 * @returns whether the key works; a revoked key stays revoked
 */
export async function storeBootstrapKey(
  deps: KeepBootstrapKeyDeps,
  text: string,
): Promise<boolean> {
  const key = parseApiKey(text);
  if (!key) throw new Error('The bootstrap key is malformed.');
  const store = () =>
    deps.keys.upsertBootstrap({
      _id: v7(),
      prefix: key.prefix,
      secret_sha256: hashSecret(key.secret),
      name: 'bootstrap',
      scopes: [],
      project_id: null,
      expires_at: null,
      created_at: deps.now(),
      revoked_at: null,
    });
  // Another starting replica may insert it between our read and our insert.
  const stored = await store().catch((error: unknown) => {
    if (isDuplicateKey(error)) return store();
    throw error;
  });
  return stored.revokedAt === null;
}
