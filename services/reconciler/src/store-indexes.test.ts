import { shardKeys, storeIndexes } from './store-indexes';

test('every unique index contains the shard key of its collection', () => {
  for (const [collection, indexes] of Object.entries(storeIndexes)) {
    const shardKey = Object.keys(shardKeys[collection] ?? {});
    for (const { key, unique } of indexes)
      if (unique)
        expect([collection, Object.keys(key)]).toEqual([
          collection,
          expect.arrayContaining(shardKey),
        ]);
  }
});

test('a tracked vulnerability has at most six index entries', () => {
  const indexes = storeIndexes['tracked_vulnerabilities'] ?? [];
  // Beside `_id`; the index of former ids has an entry for few.
  expect(indexes.filter(({ name }) => name !== 'former_ids')).toHaveLength(4);
});
