import { setTimeout as sleep } from 'node:timers/promises';
import { allowWrites, stopWrites } from '@bomtrail/testkit';
import type { ChaosStack } from '../chaos-stack';
import { countIn } from '../witness';
import type { Fault, Strike } from './draw-strike';

/** How often which fault hit which process: `kill mongod`. */
export type FaultCounts = Map<string, number>;

const restartedMs = 30_000;
/** What an armed point waits for may not come: it stays armed until the next start then. */
const passedMs = 12_000;
/** The services notice within 10 s that messages are not stored, and 6 s later nats-server is restarted. */
const noticedMs = 20_000;
const pollMs = 50;

/** Does it all, and comes back when what was paused goes on and what was stopped was started again. */
export async function strike(
  chaos: ChaosStack,
  { faults }: Strike,
  counts: FaultCounts,
): Promise<void> {
  await Promise.all(faults.map((fault) => runStrike(chaos, fault, counts)));
}

async function runStrike(chaos: ChaosStack, fault: Fault, counts: FaultCounts): Promise<void> {
  const { stack } = chaos;
  const { kind, process } = fault;
  const pid = await chaos.pidOf(process);
  switch (fault.kind) {
    case 'kill':
      stack.kill(process, 'SIGKILL');
      break;
    case 'restart':
      stack.kill(process, 'SIGTERM');
      await untilAnother(chaos, process, { than: pid, withinMs: restartedMs });
      break;
    case 'pause':
      stack.kill(process, 'SIGSTOP');
      await sleep(fault.pauseMs);
      stack.kill(process, 'SIGCONT');
      break;
    case 'full disk':
      await stopWrites(pid);
      await sleep(fault.fullMs);
      // It may have been restarted meanwhile.
      await allowWrites(pid).catch(() => undefined);
      // Where a write has failed it is restarted; where none was tried it goes on.
      await untilAnother(chaos, process, { than: pid, withinMs: noticedMs });
      break;
    case 'point':
      await crashAt(chaos, fault, { pid, counts });
      return;
  }
  countIn(counts, `${kind} ${process}`);
}

/** Counted by its point once it has crashed there. */
async function crashAt(
  chaos: ChaosStack,
  { process, point }: Fault & { kind: 'point' },
  { pid, counts }: { pid: number; counts: FaultCounts },
): Promise<void> {
  chaos.arm(process, point);
  chaos.stack.kill(process, 'SIGTERM');
  countIn(counts, `restart ${process}`);
  const armed = await untilAnother(chaos, process, { than: pid, withinMs: restartedMs });
  if (armed === null) return;
  const next = await untilAnother(chaos, process, { than: armed, withinMs: passedMs });
  if (next !== null) countIn(counts, `point ${process}`);
}

/** The process that has taken the place of this one; null: none within that time. */
async function untilAnother(
  chaos: ChaosStack,
  process: string,
  { than, withinMs }: { than: number; withinMs: number },
): Promise<number | null> {
  for (const begun = Date.now(); Date.now() - begun < withinMs; await sleep(pollMs)) {
    const pid = await chaos.pidOf(process);
    if (pid !== than) return pid;
  }
  return null;
}
