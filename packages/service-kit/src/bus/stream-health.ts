import { probeSubjectOf, type StoringStream } from '@bomtrail/messages';
import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../log/logger';
import { retryOf } from './passing';

/**
 * How long a stream may refuse before something is wrong: servers of a cluster that lost a stream's leader have
 * another one after 4 to 10 seconds; a server of its own has nobody to agree with.
 */
const graceMs = { cluster: 15_000, alone: 5_000 };
const probeEveryMs = 2_000;
/** A message that nobody has stored by then is not stored. */
const probeMs = 2_000;

/** Does an error say that the stream stores nothing now, whatever the message? One that is full is not meant. */
export function saysStreamStoresNothing(error: unknown): boolean {
  const isFull = error instanceof JetStreamApiError && /maximum bytes exceeded/.test(error.message);
  return retryOf(error) === 'again' && !isFull;
}

/** Notes since when a stream stores nothing, unless that is noted already. */
export function beginsToRefuse(
  bus: { refusing: Map<StoringStream, number>; isUp(): boolean },
  stream: StoringStream,
): void {
  if (bus.isUp() && !bus.refusing.has(stream)) bus.refusing.set(stream, Date.now());
}

/**
 * Whether streams store what is published. A server may answer all else and store nothing: nats-server does not
 * write to a stream any more whose file it could not write once, also when the disk has room again, until it is
 * restarted.
 */
export interface StreamHealth {
  /** Seconds since when each stream stores nothing, those included that may only choose a leader; none: all is well. */
  failingSeconds(): ReadonlyMap<StoringStream, number>;
  /** Has it stored nothing for longer than a choice of a leader takes, probes included? */
  isFailing(stream: StoringStream): boolean;
  /** Does every stream to which this process has published store messages? */
  isStoring(): boolean;
  /** How long a stream may store nothing before it counts as failing, in milliseconds. */
  graceMs(): number;
  stop(): void;
}

/**
 * Probes each stream that is in `refusing`, and takes it out once it has stored a probe: what failed need not
 * be published again by anybody. Nothing is probed while all is well, so that streams hold work only.
 *
 * @param refusing since when a stream has stored nothing, in milliseconds of the clock; filled by who publishes
 */
export function watchStreams(bus: {
  nats: Pick<NatsConnection, 'info'>;
  jetstream: JetStreamClient;
  refusing: Map<StoringStream, number>;
  isUp(): boolean;
  log: Logger;
}): StreamHealth {
  const { refusing, log } = bus;
  const told = new Set<StoringStream>();
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
      if (told.delete(stream)) log.info({ stream }, 'A stream stores messages again.');
    } catch (error) {
      if (!isFailing(stream) || told.has(stream)) return;
      told.add(stream);
      log.error(
        { stream, reason: (error as Error).message },
        'NATS answers, and a stream stores nothing: is its disk full, or was it?',
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
