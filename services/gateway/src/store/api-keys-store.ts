import {
  createKnownProjects,
  type Database,
  type IndexPlan,
  type KnownProjectDocument,
} from '@bomtrail/service-kit';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
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
  /** Accurate to about a minute; missing: not used yet. */
  last_used_at?: Date;
}

/** Keys that are looked at: those of one project, or all. */
export interface KeyScope {
  projectId: string | undefined;
}

export type ApiKeysStore = ReturnType<typeof createApiKeysStore>;

/** A request must not wait longer for its key; it is refused with 503 instead. */
const findTimeoutMs = 2_000;
/** Keys of a deleted project that are removed in one go. */
const forgetBatch = 1_000;
/** A use that follows another one within this time is not written. */
const useGrainMs = 60_000;

export const apiKeysIndexes: IndexPlan = {
  api_keys: [
    { key: { prefix: 1 }, name: 'prefix', unique: true },
    { key: { revoked_at: 1, created_at: -1, _id: 1 }, name: 'listed' },
    { key: { project_id: 1, created_at: -1, _id: 1 }, name: 'listed_by_project' },
  ],
};

/** API keys, and which projects take none any more because they were deleted. */
export function createApiKeysStore(database: Database) {
  const { db, client } = database;
  const keys = db.collection<ApiKeyDocument>('api_keys');
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );

  return {
    /** Those of the prefixes that exist. @throws MongoError when the database does not answer within two seconds */
    async byPrefixes(prefixes: readonly string[]): Promise<ApiKeyRecord[]> {
      const wanted = { prefix: { $in: [...prefixes] } };
      // The driver's `timeoutMS` has no effect (7.9); the signal also ends what hangs on the line.
      const signal = AbortSignal.timeout(findTimeoutMs);
      const found = await keys.find(wanted, { signal }).toArray();
      return found.map(recordOf);
    },

    /** Inserts the key, or gives the one with its prefix the new secret; a revoked one stays revoked. */
    async keep({ secret_sha256, prefix, ...fresh }: ApiKeyDocument): Promise<ApiKeyRecord> {
      const kept = await keys.findOneAndUpdate(
        { prefix },
        { $set: { secret_sha256 }, $setOnInsert: fresh },
        { upsert: true, returnDocument: 'after' },
      );
      if (!kept) throw new Error('An upsert gave no document.');
      return recordOf(kept);
    },

    /** `gone`: the project that the key should be bound to was deleted. @throws MongoError for a prefix that is taken */
    async insert(key: ApiKeyDocument): Promise<'done' | 'gone'> {
      const write = async (session?: ClientSession): Promise<'done'> => {
        await keys.insertOne(key, session ? { session } : {});
        return 'done';
      };
      return key.project_id === null ? write() : projects.writeTo(key.project_id, write);
    },

    /** Keys that are not revoked, newest first, ties by id. */
    async list(scope: KeyScope, page: { skip: number; limit: number }) {
      const where = { revoked_at: null, ...inScope(scope) };
      const [items, total] = await Promise.all([
        keys
          .find(where)
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        keys.countDocuments(where),
      ]);
      return { items, total };
    },

    /** The key with this id or prefix, now revoked; null when there is none or it is revoked already. */
    async revoke(
      key: { id: string } | { prefix: string },
      scope: KeyScope,
      now: Date,
    ): Promise<ApiKeyDocument | null> {
      const named = 'id' in key ? { _id: key.id } : { prefix: key.prefix };
      return keys.findOneAndUpdate(
        { ...named, ...inScope(scope), revoked_at: null },
        { $set: { revoked_at: now } },
      );
    },

    /** Notes when keys were used, each at most once a minute over all processes. */
    async markUsed(uses: readonly { keyId: string; at: Date }[]): Promise<void> {
      const writes = uses.map(({ keyId, at }): AnyBulkWriteOperation<ApiKeyDocument> => {
        const recently = { $gt: new Date(at.getTime() - useGrainMs) };
        return {
          updateOne: {
            filter: { _id: keyId, last_used_at: { $not: recently } },
            update: { $set: { last_used_at: at } },
          },
        };
      });
      if (writes.length > 0) await keys.bulkWrite(writes, { ordered: false });
    },

    /**
     * Removes keys that are bound to a deleted project, a bounded number of them, and lets none come
     * again. Repeating it changes nothing.
     *
     * @returns the prefixes of the removed keys, and whether there may be more
     */
    async deleteProjectData(
      projectId: string,
      now: Date,
    ): Promise<{ prefixes: string[]; more: boolean }> {
      await projects.markDeleted(projectId, now);
      const found = await keys
        .find({ project_id: projectId }, { projection: { prefix: 1 }, limit: forgetBatch })
        .toArray();
      await keys.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return {
        prefixes: found.map(({ prefix }) => prefix),
        more: found.length === forgetBatch,
      };
    },
  };
}

function inScope({ projectId }: KeyScope): { project_id?: string } {
  return projectId === undefined ? {} : { project_id: projectId };
}

function recordOf(document: ApiKeyDocument): ApiKeyRecord {
  return {
    id: document._id,
    prefix: document.prefix,
    name: document.name,
    secretSha256: document.secret_sha256,
    scopes: document.scopes,
    projectId: document.project_id,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
  };
}
