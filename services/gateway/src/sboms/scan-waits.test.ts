import { setImmediate } from 'node:timers/promises';
import { createScanWaits, type ScanWait } from './scan-waits';

const long = 60_000;

async function isOver(wait: ScanWait): Promise<boolean> {
  const still = Symbol('still');
  return (await Promise.race([wait.over(long), setImmediate(still)])) !== still;
}

function begun(waits: ReturnType<typeof createScanWaits>, sbomId: string): ScanWait {
  const wait = waits.begin(sbomId, 'key');
  if (!wait) throw new Error('too many waits');
  return wait;
}

describe('a wait for a scan', () => {
  test('ends for all that wait for the SBOM that is told, and for no other', async () => {
    const waits = createScanWaits({ total: 10, perKey: 10 });
    const [one, two, other] = ['a', 'a', 'b'].map((id) => begun(waits, id)) as ScanWait[];
    const over = Promise.all([one?.over(long), two?.over(long)]);
    waits.finish(['a', 'c']);
    expect(await over).toEqual([true, true]);
    expect(await isOver(other as ScanWait)).toBe(false);
    for (const wait of [one, two, other]) wait?.end();
  });

  test('is over at once when the word came before the state was read', async () => {
    const waits = createScanWaits({ total: 10, perKey: 10 });
    const wait = begun(waits, 'a');
    waits.finish(['a']);
    expect(await isOver(wait)).toBe(true);
    wait.end();
  });

  test('is over when its time has passed', async () => {
    const wait = begun(createScanWaits({ total: 10, perKey: 10 }), 'a');
    expect(await wait.over(1)).toBe(false);
    wait.end();
  });

  test('that has ended before it was waited for is over at once', async () => {
    const wait = begun(createScanWaits({ total: 10, perKey: 10 }), 'a');
    wait.end();
    expect(await isOver(wait)).toBe(true);
  });

  test('leaves nothing behind, however often it is ended', async () => {
    const waits = createScanWaits({ total: 10, perKey: 10 });
    const [one, two] = [begun(waits, 'a'), begun(waits, 'a')];
    const over = one.over(long);
    one.end();
    one.end();
    await over;
    expect(waits.count()).toBe(1);
    expect(waits.sbomIds()).toEqual(['a']);
    two.end();
    expect(waits.sbomIds()).toEqual([]);
    // Another wait for the same SBOM is not touched by the end of an old one.
    const three = begun(waits, 'a');
    two.end();
    expect(waits.sbomIds()).toEqual(['a']);
    three.end();
  });

  test('is refused where too many wait, until one of them ends', () => {
    const waits = createScanWaits({ total: 1, perKey: 1 });
    const wait = begun(waits, 'a');
    expect(waits.begin('b', 'key')).toBeNull();
    wait.end();
    begun(waits, 'b').end();
  });

  test('is over when the process ends, and none begins after it', async () => {
    const waits = createScanWaits({ total: 10, perKey: 10 });
    const wait = begun(waits, 'a');
    const over = wait.over(long);
    waits.close();
    await over;
    wait.end();
    expect(waits.begin('a', 'key')).toBeNull();
  });
});

test('of one key only so many wait, and others still can', () => {
  const waits = createScanWaits({ total: 3, perKey: 2 });
  const greedy = ['a', 'a', 'b'].map((sbomId) => waits.begin(sbomId, 'greedy'));
  expect(greedy.map((wait) => wait !== null)).toEqual([true, true, false]);
  const other = waits.begin('a', 'other');
  expect(other).not.toBeNull();
  greedy[0]?.end();
  greedy[0]?.end();
  const again = [waits.begin('c', 'greedy'), waits.begin('c', 'greedy')];
  expect(again.map((wait) => wait !== null)).toEqual([true, false]);
  for (const wait of [...greedy, other, ...again]) wait?.end();
  expect(waits.count()).toBe(0);
});
