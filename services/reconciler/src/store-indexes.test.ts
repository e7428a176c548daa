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

test('a tracked vulnerability has at most six index entries, beside those that few have', () => {
  const indexes = storeIndexes['tracked_vulnerabilities'] ?? [];
  // Beside `_id`; few have former ids or a decision.
  const few = ['former_ids', 'decision', 'decided_by_rule'];
  expect(indexes.filter(({ name = '' }) => !few.includes(name))).toHaveLength(5);
});
