import { createSlots } from './slots';

test('so many pieces of work run at once, the others in their order, also after a failure', async () => {
  const inSlot = createSlots(2);
  const begun: number[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const works = [0, 1, 2, 3].map((place) =>
    inSlot(() => {
      begun.push(place);
      return new Promise<number>((resolve, reject) => {
        ends[place] = (failure) => (failure ? reject(failure) : resolve(place));
      });
    }),
  );
  const outcomes = Promise.allSettled(works);
  expect(begun).toEqual([0, 1]);
  ends[1]?.(new Error('broken'));
  await works[1]?.catch(() => undefined);
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  await works[0];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
});
