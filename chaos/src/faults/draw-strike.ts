import { faultPoints } from '@bomtrail/messaging';
import { shuffled, type Draw } from '@bomtrail/testkit';

/** What is done to one process. */
export type Fault =
  | { kind: 'kill' | 'restart'; process: string }
  | { kind: 'pause'; process: string; pauseMs: number }
  /** Its disk is full for so long, then has room again. */
  | { kind: 'full disk'; process: 'nats-server'; fullMs: number }
  /** It is started again with this fault point armed, and crashes when it passes it. */
  | { kind: 'point'; process: string; point: string };

/** Faults that come together, and the rest after them. */
export interface Strike {
  faults: Fault[];
  restMs: number;
}

export const processes = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
  'mongod',
  'nats-server',
];

const restMs = { least: 500, spread: 6_000 };
/** One pause of so many is as long as a pause may be; the others are this part of it at most. */
const longPauses = 6;
const usualPause = 0.25;
/** One strike of so many hits two processes. */
const doubles = 4;
const mostPassings = 3;

/** The next strike; the same ones follow from the same seed, whatever happens meanwhile. */
export function drawStrike(draw: Draw, mostPauseMs: number): Strike {
  const count = draw(doubles) === 0 ? 2 : 1;
  const runStrike = shuffled(processes, draw).slice(0, count);
  const faults = runStrike.map((process) => drawFault(draw, process, mostPauseMs));
  return { faults, restMs: restMs.least + draw(restMs.spread) };
}

function drawFault(draw: Draw, process: string, mostPauseMs: number): Fault {
  const chance = draw(10);
  const most = draw(longPauses) === 0 ? mostPauseMs : mostPauseMs * usualPause;
  const pauseMs = Math.ceil(most / 5) + draw(Math.ceil((most * 4) / 5));
  const points = faultPoints.filter(({ service }) => service === process);
  const point = points[draw(Math.max(1, points.length))];
  const passing = 1 + draw(mostPassings);
  if (chance < 4) return { kind: 'kill', process };
  if (chance < 6) return { kind: 'pause', process, pauseMs };
  // mongod ends itself when it cannot write, which is a kill.
  if (chance >= 7 && process === 'nats-server')
    return { kind: 'full disk', process, fullMs: pauseMs };
  if (chance < 7 || !point) return { kind: 'restart', process };
  return { kind: 'point', process, point: `${point.name}@${passing}` };
}
