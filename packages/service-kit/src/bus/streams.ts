import {
  attachmentBucket,
  attachmentStream,
  streams,
  type StreamDefinition,
  type StreamName,
} from '@bomtrail/messages';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { Logger } from '../log/logger';
import { SettingsError } from '../settings/read-settings';
import { boundOf, isOutOfStorage, leastStorageBytes, storageOf } from './stream-storage';
import { withoutCovered } from './subjects';
import { nanosPerSecond } from './time';

const startDeadlineMs = 60_000;

/** The API's code of a server without a cluster that is to keep more than one copy. */
const noClusterCode = 10074;

/** What looking after streams depends on. */
export interface StreamCare {
  readonly log: Logger;
  /** On how many servers each is to be kept; undefined: as it is, and a new one on one. */
  readonly replicas: number | undefined;
  /** Bytes that all may take together; undefined: bounds that are there stay, and the others share 1 GiB. */
  readonly storageBytes?: number | undefined;
}

/**
 * Creates the streams that are missing and brings the others to today's definition; any number of services
 * may do so at once. Gives those that it created. A server that has less storage than the streams may take has
 * smaller ones.
 *
 * @throws SettingsError where several copies are asked for and the server belongs to no cluster
 */
export async function ensureStreams(
  manager: JetStreamManager,
  care: StreamCare,
): Promise<StreamName[]> {
  const created: StreamName[] = [];
  let storageBytes = storageOf(care);
  for (let fits = care; ; fits = { ...care, storageBytes }) {
    try {
      await ensureAll(manager, fits, created);
      return created;
    } catch (error) {
      if (!isOutOfStorage(error) || storageBytes <= leastStorageBytes) throw error;
      storageBytes = Math.floor(storageBytes / 2);
      care.log.warn(
        { reason: (error as Error).message, storage_bytes: storageBytes },
        'NATS has not the storage that NATS_STORAGE_BYTES promises; the streams are made smaller.',
      );
    }
  }
}

async function ensureAll(
  manager: JetStreamManager,
  care: StreamCare,
  created: StreamName[],
): Promise<void> {
  const deadline = Date.now() + startDeadlineMs;
  for (const { name } of streams) {
    const end = await untilTaken({ name, care, deadline }, () => ensureStream(manager, name, care));
    if (end === 'created') created.push(name);
  }
  await untilTaken({ name: attachmentStream, care, deadline }, () => ensureBucket(manager, care));
}

/** Repeats a step while JetStream is not ready for it, up to the deadline. */
async function untilTaken<Result>(
  { name, care, deadline }: { name: string; care: StreamCare; deadline: number },
  step: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === noClusterCode) {
        throw new SettingsError([
          `NATS_REPLICAS: is ${care.replicas}, but the server at NATS_URL belongs to no cluster.`,
        ]);
      }
      if (Date.now() > deadline || isOutOfStorage(error)) throw error;
      care.log.warn(
        { stream: name, replicas: care.replicas, reason: (error as Error).message },
        'JetStream is not ready; trying again.',
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** The same for one stream, once. */
export async function ensureStream(
  manager: JetStreamManager,
  name: StreamName,
  care: StreamCare,
): Promise<'created' | 'there'> {
  const { log, replicas } = care;
  const stream = definitionOf(name);
  const wanted = {
    max_age: stream.maxAgeHours * 3600 * nanosPerSecond,
    discard: DiscardPolicy.Old,
    ...(replicas === undefined ? {} : { num_replicas: replicas }),
  };
  try {
    const { config } = await manager.streams.info(name);
    // What a service of the release beside this one publishes is taken, too.
    const subjects = withoutCovered([...stream.subjects, ...config.subjects]);
    const max_bytes = boundOf(stream, care, config.max_bytes);
    const same =
      config.max_bytes === max_bytes &&
      config.max_age === wanted.max_age &&
      config.discard === wanted.discard &&
      config.num_replicas === (replicas ?? config.num_replicas) &&
      [...config.subjects].sort().join() === subjects.sort().join();
    if (same) return 'there';
    await manager.streams.update(name, { ...wanted, max_bytes, subjects });
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
      max_bytes: boundOf(stream, care),
      ...wanted,
    });
    return 'created';
  }
}

/** Brings the bucket of large bodies to its copies and bytes, where it is there: its first use makes it. */
async function ensureBucket(manager: JetStreamManager, care: StreamCare): Promise<void> {
  try {
    const { config } = await manager.streams.info(attachmentStream);
    const num_replicas = care.replicas ?? config.num_replicas;
    const max_bytes = boundOf(attachmentBucket, care, config.max_bytes);
    if (config.num_replicas === num_replicas && config.max_bytes === max_bytes) return;
    await manager.streams.update(attachmentStream, { num_replicas, max_bytes });
    care.log.info(
      { stream: attachmentStream, replicas: num_replicas, max_bytes },
      'The bucket of large bodies was brought to its copies and bytes.',
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
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
