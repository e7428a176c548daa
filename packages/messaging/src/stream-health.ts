import { probeSubjectOf, type StoringStream } from '@bomtrail/messages';
import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@bomtrail/telemetry';
import { retryPolicyOf } from './transient-errors';

/** Time a stream may reject messages before it counts as failing: a cluster elects a leader in 4 to 10 seconds. */
const graceMs = { cluster: 15_000, alone: 5_000 };
const probeEveryMs = 2_000;
/** Timeout of a probe. */
const probeMs = 2_000;

/** True if an error means that the stream stores no message at all. A full stream does not count. */
export function indicatesStreamFailure(error: unknown): boolean {
  const isFull = error instanceof JetStreamApiError && /maximum bytes exceeded/.test(error.message);
  return retryPolicyOf(error) === 'unlimited' && !isFull;
}

/** Records the time of the first rejection by a stream. */
export function markRefusing(
  bus: { refusing: Map<StoringStream, number>; isUp(): boolean },
  stream: StoringStream,
): void {
  if (bus.isUp() && !bus.refusing.has(stream)) bus.refusing.set(stream, Date.now());
}

/**
 * Reports whether streams store messages. A server may respond and store nothing: after one failed write to a
 * stream, nats-server stops writing to it until it is restarted, even if the disk has room again.
 */
export interface StreamHealth {
  /** Seconds since each stream stores nothing, including streams that are electing a leader. */
  failingSeconds(): ReadonlyMap<StoringStream, number>;
  /** True if messages and probes were rejected for longer than an election takes. */
  isFailing(stream: StoringStream): boolean;
  /** True if no stream to which this process has published is failing. */
  isStoring(): boolean;
  /** Time a stream may reject messages before it counts as failing, in milliseconds. */
  graceMs(): number;
  stop(): void;
}

/**
 * Probes each stream in `refusing` and removes it once a probe was stored. Without failures no probes are sent.
 *
 * @param refusing time of the first rejection by stream (epoch milliseconds); filled by publishers
 */
export function watchStreams(bus: {
  nats: Pick<NatsConnection, 'info'>;
  jetstream: JetStreamClient;
  refusing: Map<StoringStream, number>;
  isUp(): boolean;
  log: Logger;
}): StreamHealth {
  const { refusing, log } = bus;
  const logged = new Set<StoringStream>();
  const probing = new Set<StoringStream>();

  const grace = (): number => (bus.nats.info?.cluster ? graceMs.cluster : graceMs.alone);

  const isFailing = (stream: StoringStream): boolean => {
    const since = refusing.get(stream);
    return since !== undefined && Date.now() - since > grace() && bus.isUp();
  };

  async function probe(stream: StoringStream): Promise<void> {
    try {
      const options = { timeout: probeMs, retries: 0 };
      await bus.jetstream.publish(probeSubjectOf(stream), new Uint8Array(), options);
      refusing.delete(stream);
      if (logged.delete(stream)) log.info({ stream }, 'A stream stores messages again.');
    } catch (error) {
      if (!isFailing(stream) || logged.has(stream)) return;
      logged.add(stream);
      log.error(
        { stream, reason: (error as Error).message },
        'NATS responds, but a stream stores nothing. Check the disk; if it was full, restart NATS.',
      );
    }
  }

  const timer = setInterval(() => {
    if (!bus.isUp()) return;
    for (const stream of refusing.keys()) {
      if (probing.has(stream)) continue;
      probing.add(stream);
      void probe(stream).finally(() => probing.delete(stream));
    }
  }, probeEveryMs);
  timer.unref();

  return {
    failingSeconds: () =>
      new Map([...refusing].map(([name, since]) => [name, (Date.now() - since) / 1000])),
    isFailing,
    graceMs: grace,
    isStoring: () => ![...refusing.keys()].some(isFailing),
    stop: () => clearInterval(timer),
  };
}
