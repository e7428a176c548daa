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
import { createSeldomWarning, type Logger } from '@bomtrail/telemetry';
import { SettingsError } from '@bomtrail/settings';
import { boundOf, isOutOfStorage, leastStorageBytes, storageOf } from './stream-storage';
import { withoutCovered } from './subjects';
import { nanosPerSecond } from './time';

const startDeadlineMs = 60_000;

/** API code: replicas were requested on a server outside a cluster. */
const noClusterCode = 10074;

/** Dependencies and limits for creating streams. */
export interface StreamOptions {
  readonly log: Logger;
  /** Replicas of each stream; undefined: unchanged, 1 for a new stream. */
  readonly replicas: number | undefined;
  /** Maximum of all streams together; undefined: existing limits stay, new streams share 1 GiB. */
  readonly storageBytes?: number | undefined;
}

/**
 * Creates missing streams and updates the others; safe to run from several services at once. Returns the names of
 * the created streams. If the server lacks storage, all streams are made smaller.
 *
 * @throws SettingsError if replicas are requested on a server outside a cluster
 */
export async function ensureStreams(
  manager: JetStreamManager,
  care: StreamOptions,
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
        'NATS has less storage than NATS_STORAGE_BYTES; creating smaller streams.',
      );
    }
  }
}

async function ensureAll(
  manager: JetStreamManager,
  care: StreamOptions,
  created: StreamName[],
): Promise<void> {
  const deadline = Date.now() + startDeadlineMs;
  for (const { name } of streams) {
    const result = await untilReady({ name, care, deadline }, () =>
      ensureStream(manager, name, care),
    );
    if (result === 'created') created.push(name);
  }
  await untilReady({ name: attachmentStream, care, deadline }, () => ensureBucket(manager, care));
}

/** Retries a step until JetStream is ready, up to the deadline. */
async function untilReady<Result>(
  { name, care, deadline }: { name: string; care: StreamOptions; deadline: number },
  step: () => Promise<Result>,
): Promise<Result> {
  const warn = createSeldomWarning(care.log);
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === noClusterCode) {
        throw new SettingsError([
          `NATS_REPLICAS: is ${care.replicas}, but the server at NATS_URL is not part of a cluster.`,
        ]);
      }
      if (Date.now() > deadline || isOutOfStorage(error)) throw error;
      warn(
        { stream: name, replicas: care.replicas, reason: (error as Error).message },
        'JetStream is not ready; trying again.',
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Creates or updates one stream, without retries. */
export async function ensureStream(
  manager: JetStreamManager,
  name: StreamName,
  care: StreamOptions,
): Promise<'created' | 'exists'> {
  const { log, replicas } = care;
  const stream = definitionOf(name);
  const wanted = {
    max_age: stream.maxAgeHours * 3600 * nanosPerSecond,
    discard: DiscardPolicy.Old,
    ...(replicas === undefined ? {} : { num_replicas: replicas }),
  };
  try {
    const { config } = await manager.streams.info(name);
    // Keep the subjects of other releases during a rolling update.
    const subjects = withoutCovered([...stream.subjects, ...config.subjects]);
    const max_bytes = boundOf(stream, care, config.max_bytes);
    const same =
      config.max_bytes === max_bytes &&
      config.max_age === wanted.max_age &&
      config.discard === wanted.discard &&
      config.num_replicas === (replicas ?? config.num_replicas) &&
      [...config.subjects].sort().join() === subjects.sort().join();
    if (same) return 'exists';
    await manager.streams.update(name, { ...wanted, max_bytes, subjects });
    log.info({ stream: name }, 'A stream was updated to the definition of this release.');
    return 'exists';
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

/** Updates replicas and size of the attachment bucket if it exists; its first use creates it. */
async function ensureBucket(manager: JetStreamManager, care: StreamOptions): Promise<void> {
  try {
    const { config } = await manager.streams.info(attachmentStream);
    const num_replicas = care.replicas ?? config.num_replicas;
    const max_bytes = boundOf(attachmentBucket, care, config.max_bytes);
    if (config.num_replicas === num_replicas && config.max_bytes === max_bytes) return;
    await manager.streams.update(attachmentStream, { num_replicas, max_bytes });
    care.log.info(
      { stream: attachmentStream, replicas: num_replicas, max_bytes },
      'The attachment bucket was updated.',
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** True if the stream or consumer does not exist. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamNotFound ||
      error.code === JetStreamApiCodes.ConsumerNotFound)
  );
}

function definitionOf(name: StreamName): StreamDefinition {
  const stream = streams.find((one) => one.name === name);
  if (!stream) throw new Error(`No definition of the stream ${name}.`);
  return stream;
}

/** Logs streams that were missing at runtime. */
export function logCreatedStreams(log: Logger, created: readonly StreamName[]): void {
  if (created.length === 0) return;
  log.warn(
    { streams: created },
    'Streams were missing and were created again; sweeps repeat lost messages.',
  );
}
