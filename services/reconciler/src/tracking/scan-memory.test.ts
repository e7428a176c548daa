import type { Scan } from './domain/add-version';
import { cacheScans, scanResult, type ScanQuery } from './scan-reader';

const [a, b] = ['a', 'b'].map((digest) => ({ digest, packages: null })) as [ScanQuery, ScanQuery];

function scanner() {
  const requested: string[] = [];
  const state = { revision: 1, failing: false };
  const read = cacheScans(async ({ digest }): Promise<Scan> => {
    requested.push(digest);
    const { revision, failing } = state;
    await Promise.resolve();
    if (failing) throw new Error('the scanner is away');
    return scanResult({ observations: [], revision });
  }, 60_000);
  return { requested, state, read };
}

describe('re-scans of one advisory change', () => {
  test('that contain the same set ask the scanner once, also at the same time', async () => {
    const { requested, read } = scanner();
    await Promise.all([1, 2, 3].map(() => read(a, 1)));
    await read(a, 1);
    await read(b, 1);
    expect(requested).toEqual(['a', 'b']);
  });

  test('are never given what was right for an earlier revision only', async () => {
    const { requested, state, read } = scanner();
    await read(a, 1);
    state.revision = 2;
    expect((await read(a, 2)).revision).toBe(2);
    expect((await read(a, 1)).revision).toBe(2);
    expect(requested).toHaveLength(2);
  });

  test('do not take over a reading that began before their revision came into force', async () => {
    const { state, read } = scanner();
    const early = read(a, 1);
    state.revision = 2;
    expect((await read(a, 2)).revision).toBe(2);
    expect((await early).revision).toBe(1);
  });

  test('ask again after a failure, which is nobody else’s', async () => {
    const { state, read } = scanner();
    state.failing = true;
    const failed = read(a, 1);
    state.failing = false;
    const other = read(a, 1);
    await expect(failed).rejects.toThrow('away');
    expect((await other).revision).toBe(1);
  });
});
