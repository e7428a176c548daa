import type { StreamName } from './define';

/** A JetStream stream, which services create at start. */
export interface StreamDefinition {
  readonly name: StreamName;
  readonly subjects: readonly string[];
  /** `workqueue`: an acknowledged message is deleted. */
  readonly retention: 'limits' | 'workqueue';
  /**
   * Maximum age in hours, 0 = unlimited. Sweeps publish unprocessed messages again from the
   * database.
   */
  readonly maxAgeHours: number;
  /**
   * Percent of the storage for bomtrail. A stream beyond its share drops its oldest messages, so
   * that it always accepts new ones and no stream takes the storage of another. All shares,
   * including the attachments, add up to 100.
   */
  readonly storagePercent: number;
}

/** Default storage of all streams in bytes: 1 GiB. */
export const defaultStorageBytes = 1024 ** 3;

export const streams: readonly StreamDefinition[] = [
  {
    name: 'EVENTS',
    subjects: [
      'scan.completed.>',
      'scan.failed.>',
      'rescan.>',
      'sbom.>',
      'vulnerability.>',
      'probe.EVENTS',
    ],
    retention: 'limits',
    maxAgeHours: 72,
    storagePercent: 40,
  },
  {
    name: 'WORK',
    subjects: ['scan.requested.>', 'probe.WORK'],
    retention: 'workqueue',
    maxAgeHours: 0,
    storagePercent: 20,
  },
  {
    name: 'DEAD',
    subjects: ['dead.>', 'probe.DEAD'],
    retention: 'limits',
    maxAgeHours: 24 * 30,
    storagePercent: 10,
  },
];

/** Subject of a consumer's dead letters. */
export const deadLetterSubjectOf = (consumer: string): string => `dead.${consumer}`;

/** The object-store bucket for bodies that exceed one message, and their lifetime. */
export const attachmentBucket = {
  name: 'attachments',
  ttlMinutes: 15,
  /** Like a stream's; a full bucket rejects new objects. */
  storagePercent: 30,
} as const;

/** The stream behind that bucket. */
export const attachmentStream = `OBJ_${attachmentBucket.name}` as const;

export type StoringStream = StreamName | typeof attachmentStream;

/** Subject for probing whether a stream stores messages; nothing consumes it. */
export function probeSubjectOf(stream: StoringStream): string {
  return stream === attachmentStream ? `$O.${attachmentBucket.name}.C.probe` : `probe.${stream}`;
}

/**
 * Maximum bytes of a body, including its attachment, inside one message; NATS's default payload
 * limit is 1 MiB.
 */
export const inlineBodyLimit = 640 * 1024;
