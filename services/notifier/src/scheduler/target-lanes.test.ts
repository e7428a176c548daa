import { createTargetLanes } from './target-lanes';

const open = new AbortController().signal;

test('work for one target is done one after the other, other targets do not wait', async () => {
  const lanes = createTargetLanes();
  const done: string[] = [];
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const first = lanes.run('a', () => held.then(() => done.push('a1')), open);
  const second = lanes.run('a', async () => done.push('a2'), open);
  await lanes.run('b', async () => done.push('b'), open);
  expect(done).toEqual(['b']);
  letGo();
  await Promise.all([first, second]);
  expect(done).toEqual(['b', 'a1', 'a2']);
});

test('a target that is to be left alone is, until the time is over', async () => {
  const lanes = createTargetLanes();
  lanes.pause('a', 50);
  const began = performance.now();
  await lanes.run('a', async () => {}, open);
  expect(performance.now() - began).toBeGreaterThanOrEqual(49);
});

test('a waiting task ends on abort, and the next one is not delayed', async () => {
  const lanes = createTargetLanes();
  const over = new AbortController();
  lanes.pause('a', 9_000);
  const waiting = lanes.run('a', async () => 'sent', over.signal);
  over.abort(new Error('The process stops.'));
  await expect(waiting).rejects.toThrow();
  lanes.pause('a', 0);
  expect(await lanes.run('a', async () => 'sent', open)).toBe('sent');
});

test('ended pauses are dropped, even if the target is not used again', async () => {
  const lanes = createTargetLanes();
  for (let target = 0; target < 1_000; target++) lanes.pause(`gone ${target}`, 0);
  lanes.pause('asked again', 9_000);
  lanes.pause('gone at last', 0);
  expect(lanes.pauses()).toBe(2);
  expect(lanes.pauseLeft('asked again')).toBeGreaterThan(0);
});

test('who would wait long goes on at once and sees for how long', async () => {
  const lanes = createTargetLanes();
  lanes.pause('a', 3_600_000);
  const left = await lanes.run('a', async () => lanes.pauseLeft('a'), open);
  expect(left).toBeGreaterThan(3_000_000);
  expect(lanes.pauseLeft('b')).toBe(0);
});
