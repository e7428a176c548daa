import { createKnownProjects, type KnownProjectDocument } from '@bomtrail/deletion';
import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { Person } from '../../access/domain/person';
import type { ApiKeyRecord, Scope } from '../domain/api-key';

/** One key, without its secret. */
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
  /** Accurate to about a minute; absent before the first use. */
  last_used_at?: Date;
  /** The person whose own it is, with their id; absent: nobody's. */
  owner?: Person & { id: string };
}

/** Filter: keys of some projects, or all. */
export interface KeyScope {
  projectId: ProjectScope | undefined;
  /** Only a person's own; absent: of anybody. */
  ownerId?: string;
}

export type ApiKeysStore = ReturnType<typeof createApiKeysStore>;

/** Maximum wait for a key; then the request is rejected with 503. */
const findTimeoutMs = 2_000;
/** Keys of a deleted project per batch. */
const forgetBatch = 1_000;
/** Minimum time between two stored uses. */
const useGrainMs = 60_000;

export const apiKeysIndexes: IndexPlan = {
  api_keys: [
    { key: { prefix: 1 }, name: 'prefix', unique: true },
    { key: { revoked_at: 1, created_at: -1, _id: 1 }, name: 'listed' },
    { key: { project_id: 1, created_at: -1, _id: 1 }, name: 'listed_by_project' },
    { key: { 'owner.id': 1, created_at: -1, _id: 1 }, name: 'owned', sparse: true },
  ],
};

/** API keys, and tombstones of deleted projects, which accept none. */
export function createApiKeysStore(database: Database) {
  const { db, client } = database;
  const keys = db.collection<ApiKeyDocument>('api_keys');
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );

  return {
    /**
     * Records of the existing prefixes. @throws MongoError if the database does not respond within
     * two seconds
     */
    async byPrefixes(prefixes: readonly string[]): Promise<ApiKeyRecord[]> {
      const wanted = { prefix: { $in: [...prefixes] } };
      // The driver's `timeoutMS` has no effect (7.9); the signal also cancels hanging commands.
      const signal = AbortSignal.timeout(findTimeoutMs);
      const found = await keys.find(wanted, { signal }).toArray();
      return found.map(recordOf);
    },

    /**
     * Inserts the key, or updates the secret of the one with its prefix; a revoked key stays
     * revoked.
     */
    async upsertBootstrap({
      secret_sha256,
      prefix,
      ...fresh
    }: ApiKeyDocument): Promise<ApiKeyRecord> {
      const found = await keys.findOneAndUpdate(
        { prefix },
        { $set: { secret_sha256 }, $setOnInsert: fresh },
        { upsert: true, returnDocument: 'after' },
      );
      if (!found) throw new Error('An upsert gave no document.');
      return recordOf(found);
    },

    /** `gone`: the project of the key was deleted. @throws MongoError if the prefix is taken */
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

    countOwned: (ownerId: string): Promise<number> =>
      keys.countDocuments({ 'owner.id': ownerId, revoked_at: null }),

    /** Revokes a person's own keys; returns their prefixes. */
    async revokeOwned(ownerId: string, now: Date): Promise<string[]> {
      const own = { 'owner.id': ownerId, revoked_at: null };
      const found = await keys.find(own, { projection: { prefix: 1 } }).toArray();
      await keys.updateMany(own, { $set: { revoked_at: now } });
      return found.map(({ prefix }) => prefix);
    },

    /** Keys of a project, or of none, that run out between these times, the first ones first. */
    expiring: (projectId: string | null, until: { now: Date; before: Date }, most: number) =>
      keys
        .find({
          project_id: projectId,
          revoked_at: null,
          expires_at: { $gt: until.now, $lt: until.before },
        })
        .sort({ expires_at: 1, _id: 1 })
        .limit(most)
        .toArray(),

    /** Revokes the key with this id or prefix; null if there is none or it is already revoked. */
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

    /** Stores uses of keys, each at most once per minute over all processes. */
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
     * Deletes a bounded number of keys of a deleted project and prevents new ones. Idempotent.
     *
     * @returns the prefixes of the deleted keys, and whether there may be more
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

function inScope({ projectId, ownerId }: KeyScope) {
  return {
    ...(projectId !== undefined && { project_id: oneOrSeveral(projectId) }),
    ...(ownerId !== undefined && { 'owner.id': ownerId }),
  };
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
    ...(document.owner && { owner: document.owner }),
  };
}
