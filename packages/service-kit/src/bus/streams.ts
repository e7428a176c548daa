import { streams, type StreamDefinition } from '@bomtrail/messages';
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { Logger } from '../log/logger';
import { nanosPerSecond } from './time';

/** JetStream answers this code when a stream does not exist. */
const streamNotFound = 10059;
const startDeadlineMs = 60_000;

/** Creates the streams that are missing and brings the others to today's definition; any number of services may do so at once. */
export async function ensureStreams(manager: JetStreamManager, log: Logger): Promise<void> {
  const deadline = Date.now() + startDeadlineMs;
  for (const stream of streams) {
    for (;;) {
      try {
        await ensureStream(manager, stream);
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        log.warn(
          { stream: stream.name, reason: (error as Error).message },
          'JetStream is not ready; trying again.',
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }
}

async function ensureStream(manager: JetStreamManager, stream: StreamDefinition): Promise<void> {
  const wanted = {
    subjects: [...stream.subjects],
    max_age: stream.maxAgeHours * 3600 * nanosPerSecond,
    discard: DiscardPolicy.Old,
  };
  try {
    const { config } = await manager.streams.info(stream.name);
    const same =
      config.max_age === wanted.max_age &&
      [...config.subjects].sort().join() === [...wanted.subjects].sort().join();
    if (!same) await manager.streams.update(stream.name, wanted);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error;
    await manager.streams.add({
      name: stream.name,
      storage: StorageType.File,
      retention:
        stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      ...wanted,
    });
  }
}
