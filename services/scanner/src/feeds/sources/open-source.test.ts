import { STARTER_SET_DATE } from '@bomtrail/starter-advisories';
import { starterSource } from './open-source';

test('the starter set is as old as its own date, whenever it was checked out', async () => {
  const { signal } = new AbortController();
  const parts = await starterSource().list(signal);
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) {
    const known = { fingerprint: null, hasUnread: false, findHeaders: async () => new Map() };
    const edition = await part.open(known, signal);
    if (typeof edition === 'string') throw new Error(`${part.label} is ${edition}.`);
    await edition.close();
    expect(edition.asOf).toEqual(new Date(STARTER_SET_DATE));
  }
});
