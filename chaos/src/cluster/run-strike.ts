import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type ClusterNode, type Draw } from '@bomtrail/testkit';
import type { ClusterHarness } from './open-cluster';
import type { Probe, Probing } from './probe';
import type { Strike } from './strikes';
import type { UploadClock } from './upload-clock';

/** What came of one strike; all times in milliseconds. */
export interface StrikeResult {
  what: string;
  /** Names of those that were killed. */
  nodes: string[];
  refused: Strike['refused'];
  awayMs: number;
  /** The longest time without an accepted upload, from the kill until the cluster was whole again. */
  pauseMs: number;
  /** Uploads that were accepted while they were away. */
  acceptedAway: number;
  /** Requests that had no known answer, or a 503, and were sent again. */
  repeated: number;
  /** From the restart until every node had all again. */
  wholeMs: number;
  /** From the restart until an upload was accepted. */
  acceptedAfterMs: number;
}

export interface StrikeDeps {
  harness: ClusterHarness;
  clock: UploadClock;
  probe: Probe;
  draw: Draw;
}

/** Longer than the elections of both servers take: with their own settings up to 12 s. */
const awayMs = { one: 13_000, two: 30_000 };
/** An answer that was on its way when the second of two was killed. */
const onTheWayMs = 3_000;
/** So soon uploads must go on, whoever was killed. */
const pauseMs = 30_000;
const wholeMs = 120_000;

/** Kills the nodes, waits, starts them again, and waits until they have caught up. */
export async function runStrike(deps: StrikeDeps, strike: Strike): Promise<StrikeResult> {
  const { harness, clock } = deps;
  const { witness, clusters } = harness;
  const nodes = await chosen(deps, strike);
  harness.say(`${strike.what}: killing ${namesOf(nodes)}`);
  const repeatsBefore = sum(witness.repeats);
  const from = Date.now();
  for (const { server } of nodes) server.kill('SIGKILL');
  await Promise.all(nodes.map(({ server }) => server.exited));
  const probing = strike.refused === 'none' ? undefined : deps.probe.begin();
  if (strike.refused !== 'all') await untilAccepted(deps, from, strike.what);
  const least = probing ? awayMs.two : awayMs.one;
  await sleep(Math.max(0, from + least - Date.now()));
  const back = Date.now();
  if (probing) expectRefused(deps, strike, { probing, from, back });

  await Promise.all(nodes.map(({ server }) => server.restart()));
  const isWhole = async (): Promise<boolean> =>
    (await clusters.nats.isWhole()) && (await clusters.mongod.isWhole());
  await withTimeout(deps, isWhole, { within: wholeMs, what: `${strike.what}: all have caught up` });
  const whole = Date.now();
  await untilAccepted(deps, back, `${strike.what}, after the restart`);
  await probing?.done;
  return {
    what: strike.what,
    refused: strike.refused,
    nodes: nodes.map(({ name }) => name),
    awayMs: back - from,
    wholeMs: whole - back,
    pauseMs: clock.longestPause(from, Date.now()),
    acceptedAway: clock.countIn(from, back),
    repeated: sum(witness.repeats) - repeatsBefore,
    acceptedAfterMs: clock.firstAfter(back) - back,
  };
}

/** Waits while an election is on. */
function chosen({ harness, draw }: StrikeDeps, strike: Strike): Promise<ClusterNode[]> {
  return eventually(
    async () => {
      const found = await strike.choose(harness.clusters, draw);
      const nodes = [...new Set(found.flatMap((node) => node ?? []))];
      if (nodes.length < found.length) throw new Error('not all of them are known');
      return nodes;
    },
    { within: pauseMs, what: `${strike.what} is known` },
  );
}

async function untilAccepted(deps: StrikeDeps, after: number, what: string): Promise<void> {
  const isAccepted = (): boolean => deps.clock.last() > after;
  await withTimeout(deps, isAccepted, { within: pauseMs, what: `${what}: uploads go on` });
}

/** What does not come in time is noted as late; comes back when it has come. */
async function withTimeout(
  { harness }: StrikeDeps,
  check: () => boolean | Promise<boolean>,
  { within, what }: { within: number; what: string },
): Promise<void> {
  try {
    await eventually(check, { within, what });
  } catch (error) {
    harness.witness.differs('late', (error as Error).message);
    await eventually(check, { within: wholeMs, what });
  }
}

/** While a majority is away, what needs it is answered with 503, and with nothing else. */
function expectRefused(
  { harness, clock }: StrikeDeps,
  { what, refused }: Strike,
  { probing, from, back }: { probing: Probing; from: number; back: number },
): void {
  const { witness } = harness;
  const { responses } = probing;
  if (probing.isAccepted()) witness.differs('failed', `${what} away: a long upload is accepted`);
  else if (!responses.includes('503') || responses.some((answer) => answer !== '503'))
    witness.differs('failed', `${what} away: an upload is answered with ${responses.join(', ')}`);
  const accepted = clock.countIn(from + onTheWayMs, back);
  if (refused === 'all' && accepted > 0)
    witness.differs('failed', `${what} away: ${accepted} uploads were accepted`);
}

function namesOf(nodes: readonly ClusterNode[]): string {
  return nodes.map(({ name }) => name).join(' and ');
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0);
}
