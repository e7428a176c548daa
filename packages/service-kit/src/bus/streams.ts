import { streams, type StreamDefinition, type StreamName } from '@bomtrail/messages';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { Logger } from '../log/logger';
import { withoutCovered } from './subjects';
import { nanosPerSecond } from './time';

const startDeadlineMs = 60_000;

/**
 * Creates the streams that are missing and brings the others to today's definition; any number of services
 * may do so at once. Gives those that it created.
 */
export async function ensureStreams(manager: JetStreamManager, log: Logger): Promise<StreamName[]> {
  const created: StreamName[] = [];
  const deadline = Date.now() + startDeadlineMs;
  for (const { name } of streams) {
    for (;;) {
      try {
        if ((await ensureStream(manager, name, log)) === 'created') created.push(name);
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        log.warn(
          { stream: name, reason: (error as Error).message },
          'JetStream is not ready; trying again.',
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }
  return created;
}

/** The same for one stream, once. */
export async function ensureStream(
  manager: JetStreamManager,
  name: StreamName,
  log: Logger,
): Promise<'created' | 'there'> {
  const stream = definitionOf(name);
  const wanted = {
    max_age: stream.maxAgeHours * 3600 * nanosPerSecond,
    discard: DiscardPolicy.Old,
  };
  try {
    const { config } = await manager.streams.info(name);
    // What a service of the release beside this one publishes is taken, too.
    const subjects = withoutCovered([...stream.subjects, ...config.subjects]);
    const same =
      config.max_age === wanted.max_age &&
      config.discard === wanted.discard &&
      [...config.subjects].sort().join() === subjects.sort().join();
    if (same) return 'there';
    await manager.streams.update(name, { ...wanted, subjects });
    log.info({ stream: name }, 'A stream was brought to the definition of this release.');
    return 'there';
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add({
      name,
      storage: StorageType.File,
      retention:
        stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      subjects: [...stream.subjects],
      ...wanted,
    });
    return 'created';
  }
}

/** Is what was asked for not there: the stream, or the consumer of it? */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamNotFound ||
      error.code === JetStreamApiCodes.ConsumerNotFound)
  );
}

function definitionOf(name: StreamName): StreamDefinition {
  const stream = streams.find((one) => one.name === name);
  if (!stream) throw new Error(`There is no definition of the stream ${name}.`);
  return stream;
}

/** Says that streams were gone while services ran. */
export function tellCreated(log: Logger, created: readonly StreamName[]): void {
  if (created.length === 0) return;
  log.warn(
    { streams: created },
    'Streams were gone and were created; the sweeps ask for what they may have held.',
  );
}
