import { isDuplicateKey } from '@bomtrail/service-kit';
import { v7 } from 'uuid';
import { hashSecret, parseApiKey } from '../domain/api-key';
import type { ApiKeysStore } from '../store/api-keys-store';

export interface KeepBootstrapKeyDeps {
  keys: ApiKeysStore;
  now: () => Date;
}

/**
 * Stores the key of `BOMTRAIL_BOOTSTRAP_API_KEY` (docs/rules.md AK3): all scopes, no expiry.
 *
 * @param text of the right form; the settings have checked it
 * @returns whether the key works: one that was revoked stays so
 */
export async function keepBootstrapKey(deps: KeepBootstrapKeyDeps, text: string): Promise<boolean> {
  const key = parseApiKey(text);
  if (!key) throw new Error('The bootstrap key has not the form of a key.');
  const keep = () =>
    deps.keys.keep({
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
  // Another replica that starts now may insert it between our look and our insert.
  const kept = await keep().catch((error: unknown) => {
    if (isDuplicateKey(error)) return keep();
    throw error;
  });
  return kept.revokedAt === null;
}
