import { createKeyUses } from './key-uses';

function given() {
  const harness = {
    at: new Date('2026-03-02T09:00:00.000Z'),
    written: [] as string[],
    fails: false,
    after(seconds: number) {
      harness.at = new Date(harness.at.getTime() + seconds * 1_000);
    },
  };
  const uses = createKeyUses(
    async (noted) => {
      if (harness.fails) throw new Error('down');
      harness.written.push(
        ...noted.map(({ keyId, at }) => `${keyId} ${at.toISOString().slice(11, 19)}`),
      );
    },
    () => harness.at,
  );
  return { harness, ...uses };
}

test('the newest use of each key is written, at most once a minute', async () => {
  const { harness, note, flush } = given();
  note('a');
  note('b');
  harness.after(10);
  note('a');
  await flush();
  expect(harness.written).toEqual(['a 09:00:10', 'b 09:00:00']);
  for (let round = 0; round < 6; round += 1) {
    harness.after(10);
    note('a');
    await flush();
  }
  expect(harness.written).toEqual(['a 09:00:10', 'b 09:00:00', 'a 09:01:10']);
});

test('without a use nothing is written; what could not be written is written later', async () => {
  const { harness, note, flush } = given();
  await flush();
  note('a');
  harness.fails = true;
  await expect(flush()).rejects.toThrow('down');
  harness.fails = false;
  harness.after(10);
  await flush();
  harness.after(600);
  await flush();
  expect(harness.written).toEqual(['a 09:00:00']);
});
