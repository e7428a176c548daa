import { faultPoints } from '@bomtrail/messaging';
import { sequence } from '@bomtrail/testkit';
import { drawStrike, processes, type Strike } from './draw-strike';

const longest = 60_000;

function strikes(seed: number, count: number): Strike[] {
  const draw = sequence(seed);
  return Array.from({ length: count }, () => drawStrike(draw, longest));
}

test('the same strikes follow from the same seed, and others from another one', () => {
  expect(strikes(7, 50)).toEqual(strikes(7, 50));
  expect(strikes(7, 50)).not.toEqual(strikes(8, 50));
});

test('every process meets every kind of fault, no pause is too long, and every fault point is tried', () => {
  const faults = strikes(1, 4_000).flatMap((strike) => strike.faults);
  const met = new Set(faults.map(({ kind, process }) => `${kind} ${process}`));
  for (const process of processes)
    for (const kind of ['kill', 'pause', 'restart']) expect(met).toContain(`${kind} ${process}`);
  expect(met).toContain('full disk nats-server');
  const pauses = faults.flatMap((fault) => (fault.kind === 'pause' ? fault.pauseMs : []));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
  const points = faults.flatMap((fault) =>
    fault.kind === 'point' ? `${fault.process} ${fault.point.split('@')[0]}` : [],
  );
  expect([...new Set(points)].sort()).toEqual(
    faultPoints.map(({ service, name }) => `${service} ${name}`).sort(),
  );
});
