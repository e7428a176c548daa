import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aliasGroups } from '@bomtrail/osv';
import * as fc from 'fast-check';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('regroup');
});
afterAll(() => databases?.stop());

const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
/** An edition: which of the records it has, and whom each names as an alias. */
const edition = fc.dictionary(
  fc.constantFrom(...ids),
  fc.uniqueArray(fc.constantFrom(...ids, 'X', 'Y'), { maxLength: 1 }),
  { minKeys: 5, maxKeys: 8 },
);

test('the groups after each of several loads are those drawn anew over all advisories', async () => {
  let run = 0;
  let modified = Date.parse('2026-01-01T00:00:00Z');
  await fc.assert(
    fc.asyncProperty(fc.array(edition, { minLength: 2, maxLength: 4 }), async (editions) => {
      run += 1;
      const deps = makeUseCaseDeps(db, {});
      // Only what names others now is modified: the rest of a group must be found by its names.
      const before = new Map<string, { aliases: string; at: string }>();
      for (const [number, records] of editions.entries()) {
        modified += 1000;
        const all = Object.entries(records).map(([id, aliases]) => ({
          id: `${run}-${id}`,
          aliases: aliases.map((alias) => `${run}-${alias}`),
        }));
        const files = all.map((one) => {
          const last = before.get(one.id);
          const aliases = one.aliases.join();
          const at = last?.aliases === aliases ? last.at : new Date(modified).toISOString();
          before.set(one.id, { aliases, at });
          return osvJson('npm', { ...one, name: one.id, modified: at });
        });
        const source = sourceOf(`run-${run}`, files, { edition: `${number}` });
        await loadFeed(deps, source, never);
        await applyChanges(deps, never);
        const stored = await db
          .collection<{ _id: string; group: string }>('advisories')
          .find({ _id: { $regex: `^${run}-` } })
          .toArray();
        const drawn = aliasGroups(all);
        expect(Object.fromEntries(stored.map(({ _id, group }) => [_id, group]))).toEqual(
          Object.fromEntries(all.map(({ id }) => [id, drawn.get(id)])),
        );
      }
    }),
    { numRuns: 15 },
  );
});
