import { createKeyUses } from './key-uses';

function given() {
  const world = {
    at: new Date('2026-03-02T09:00:00.000Z'),
    written: [] as string[],
    fails: false,
    after(seconds: number) {
      world.at = new Date(world.at.getTime() + seconds * 1_000);
    },
  };
  const uses = createKeyUses(
    async (noted) => {
      if (world.fails) throw new Error('down');
      world.written.push(
        ...noted.map(({ keyId, at }) => `${keyId} ${at.toISOString().slice(11, 19)}`),
      );
    },
    () => world.at,
  );
  return { world, ...uses };
}

test('the newest use of each key is written, at most once a minute', async () => {
  const { world, note, flush } = given();
  note('a');
  note('b');
  world.after(10);
  note('a');
  await flush();
  expect(world.written).toEqual(['a 09:00:10', 'b 09:00:00']);
  for (let round = 0; round < 6; round += 1) {
    world.after(10);
    note('a');
    await flush();
  }
  expect(world.written).toEqual(['a 09:00:10', 'b 09:00:00', 'a 09:01:10']);
});

test('without a use nothing is written; what could not be written is written later', async () => {
  const { world, note, flush } = given();
  await flush();
  note('a');
  world.fails = true;
  await expect(flush()).rejects.toThrow('down');
  world.fails = false;
  world.after(10);
  await flush();
  world.after(600);
  await flush();
  expect(world.written).toEqual(['a 09:00:00']);
});
