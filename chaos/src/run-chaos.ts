import { setTimeout as sleep } from 'node:timers/promises';
import { sequence } from '@bomtrail/testkit';
import { awaitScans } from './check/await-scans';
import { compareAll } from './check/compare-all';
import { verifyServices } from './check/verify-services';
import { drawStrike } from './faults/draw-strike';
import { strike, type FaultCounts } from './faults/strike';
import { createLoad } from './load/create-load';
import { makeReport, type ChaosReport } from './report';
import type { Harness } from './harness';

const longestPauseMs = 60_000;
/** After so many strikes the faults rest until what was under way is done. */
const strikesBetweenRests = 4;
/** What was promised. */
const resumeWithinMs = 30_000;
/** A process that crashes often waits up to ten seconds for its next start. */
const readyWithinMs = 90_000;

/** Runs the load under faults for that long, then compares everything with the acknowledged operations. */
export async function runChaos(
  harness: Harness,
  options: { minutes: number; seed: number; signal: AbortSignal },
): Promise<ChaosReport> {
  const { witness, say } = harness;
  const { minutes, seed, signal } = options;
  const runMs = minutes * 60_000;
  const load = await createLoad({ seed, uploaders: 0 }, () => harness.context);
  const projects = () => load.drivers.flatMap((driver) => driver.projects);
  const running = load.start();

  const faults: FaultCounts = new Map();
  const resumeMs: number[] = [];
  const resumed = async (): Promise<void> => {
    const ready = await harness.chaos.untilReady(readyWithinMs);
    if (ready === null)
      witness.differs('late', `not all is ready ${readyWithinMs / 1000} s after a fault`);
    const took = await awaitScans({ caller: harness.caller, witness }, projects(), resumeWithinMs);
    resumeMs.push(took);
    say(`ready after ${ready} ms; what was under way was done ${took} ms later`);
  };
  const draw = sequence(seed);
  const end = Date.now() + runMs;
  for (let count = 1; Date.now() < end; count++) {
    signal.throwIfAborted();
    const next = drawStrike(draw, Math.min(longestPauseMs, runMs / 8));
    say(next.faults.map((fault) => Object.values(fault).join(' ')).join(' + '));
    await strike(harness.chaos, next, faults);
    await sleep(next.restMs);
    if (count % strikesBetweenRests === 0) await resumed();
  }

  const stopped = running.stop();
  const recovered = harness.chaos.untilReady(readyWithinMs).then(() => Date.now());
  await stopped;
  await resumed();
  const since = await recovered;
  say('comparing');
  await compareAll({ ...harness, target: harness.target }, projects());
  await verifyServices(harness.dataDir, witness);
  const comparedMs = Date.now() - since;
  return makeReport({ minutes, seed, resumeMs, comparedMs }, witness, faults);
}
