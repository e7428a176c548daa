import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';
import type { ApiKeyRecord, Scope } from '../domain/api-key';

/** One key. The secret itself is nowhere. */
export interface ApiKeyDocument {
  /** UUID. */
  _id: string;
  prefix: string;
  secret_sha256: string;
  name: string | null;
  scopes: Scope[];
  project_id: string | null;
  expires_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
}

export interface ApiKeysStore {
  /** @throws MongoError when the database does not answer within two seconds */
  byPrefix(prefix: string): Promise<ApiKeyRecord | null>;
  /** Inserts the key, or gives the one with its prefix the new secret; a revoked one stays revoked. */
  keep(key: ApiKeyDocument): Promise<ApiKeyRecord>;
}

const collectionName = 'api_keys';

/** A request must not wait longer for its key; it is refused with 503 instead. */
const findTimeoutMs = 2_000;

export const apiKeysIndexes: IndexPlan = {
  [collectionName]: [{ key: { prefix: 1 }, name: 'prefix', unique: true }],
};

export function createApiKeysStore(db: Db): ApiKeysStore {
  const keys = db.collection<ApiKeyDocument>(collectionName);
  return {
    async byPrefix(prefix) {
      const found = await keys.findOne({ prefix }, { timeoutMS: findTimeoutMs });
      return found && recordOf(found);
    },

    async keep({ secret_sha256, prefix, ...fresh }) {
      const kept = await keys.findOneAndUpdate(
        { prefix },
        { $set: { secret_sha256 }, $setOnInsert: fresh },
        { upsert: true, returnDocument: 'after' },
      );
      if (!kept) throw new Error('An upsert gave no document.');
      return recordOf(kept);
    },
  };
}

function recordOf(document: ApiKeyDocument): ApiKeyRecord {
  return {
    id: document._id,
    prefix: document.prefix,
    secretSha256: document.secret_sha256,
    scopes: document.scopes,
    projectId: document.project_id,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
  };
}
