import { createWitness } from '../witness';
import { createUploadClock } from './upload-clock';

const at = { now: 0 };

function clockWith(moments: number[]) {
  const witness = createWitness(() => {});
  const clock = createUploadClock(witness, () => at.now);
  for (const moment of moments) {
    at.now = moment;
    clock.witness.acknowledged('upload over REST');
  }
  return { clock, witness };
}

test('the longest pause counts from the first moment and up to the last one', () => {
  const { clock } = clockWith([10, 50, 90, 300]);
  expect(clock.longestPause(0, 100)).toBe(40);
  expect(clock.longestPause(50, 90)).toBe(40);
  expect(clock.longestPause(90, 250)).toBe(160);
  expect(clock.longestPause(90, 320)).toBe(210);
  expect([clock.countIn(10, 90), clock.last()]).toEqual([2, 300]);
  expect([clock.firstAfter(50), clock.firstAfter(300)]).toEqual([90, Infinity]);
});

test('only uploads count, and the witness hears of everything', () => {
  const { clock, witness } = clockWith([10]);
  at.now = 20;
  clock.witness.acknowledged('read');
  clock.witness.acknowledged('duplicate');
  clock.witness.repeated('503');
  expect(clock.countIn(10, 20)).toBe(1);
  expect(clock.last()).toBe(20);
  expect([...witness.operations.keys()]).toEqual(['upload over REST', 'read', 'duplicate']);
  expect(witness.repeats.get('503')).toBe(1);
});
