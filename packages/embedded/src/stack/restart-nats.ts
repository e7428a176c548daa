import { seldom } from '@bomtrail/telemetry';
import { freeBytes } from './preconditions';
import type { Supervised } from './supervise';

/** Poll interval, and how long a service must report it: services do so 5 s after the first failed message. */
const usualTimes = { everyMs: 2_000, afterMs: 6_000 };
const answerMs = 2_000;
/** With less free space the next write fails, too, or the server does not start. */
const roomBytes = 2 * 1024 * 1024;
/** Delay between restarts, doubled until the services recover. */
const pauseMs = { first: 30_000, most: 300_000 };
const graceMs = 10_000;
const sayFullEveryMs = 60_000;

/** Dependencies. */
export interface NatsWatch {
  nats: Supervised;
  /** Folder of the streams. */
  natsDir: string;
  /** Internal ports of the services. */
  ports: readonly number[];
  say: (line: string) => void;
  times?: { everyMs: number; afterMs: number };
}

/**
 * Restarts nats-server when it responds but stores nothing: after a failed write it stops writing to a stream until a
 * restart. It is not restarted while the disk is full.
 *
 * @returns a function that stops the watch
 */
export function restartNatsThatStoresNothing(watch: NatsWatch): () => void {
  const { nats, natsDir, ports, say } = watch;
  const { everyMs, afterMs } = watch.times ?? usualTimes;
  const isNew = seldom(sayFullEveryMs);
  let since: number | null = null;
  let nextAt = 0;
  let pause = pauseMs.first;
  let isBusy = false;

  async function check(): Promise<void> {
    const isFailing = (await Promise.all(ports.map(saysStoresNothing))).some(Boolean);
    if (!isFailing) {
      if (since !== null && Date.now() > nextAt) pause = pauseMs.first;
      since = null;
      return;
    }
    since ??= Date.now();
    if (Date.now() - since < afterMs || Date.now() < nextAt) return;
    if ((await freeBytes(natsDir)) < roomBytes) {
      const line = `nats-server stores nothing: the disk of ${natsDir} is full. Make room.`;
      if (isNew(line)) say(line);
      return;
    }
    nextAt = Date.now() + pause;
    pause = Math.min(2 * pause, pauseMs.most);
    since = null;
    say('nats-server answers and stores nothing, although its disk has room: it is restarted.');
    stopOnce(nats);
  }

  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void check()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The supervisor starts it again. */
function stopOnce(nats: Supervised): void {
  const pid = nats.pid();
  nats.kill('SIGTERM');
  setTimeout(() => {
    if (nats.pid() === pid) nats.kill('SIGKILL');
  }, graceMs).unref();
}

/** True if the service on this internal port reports that JetStream stores nothing. */
async function saysStoresNothing(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    return checks['jetstream'] === 'down';
  } catch {
    return false;
  }
}
