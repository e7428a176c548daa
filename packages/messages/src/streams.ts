import type { StreamName } from './define';

/** A JetStream stream as the services create it, idempotently, at start. */
export interface StreamDefinition {
  readonly name: StreamName;
  readonly subjects: readonly string[];
  /** `workqueue`: a message is gone once its consumer has acknowledged it. */
  readonly retention: 'limits' | 'workqueue';
  /** Hours after which a message is dropped, 0 = never. The database is the truth: a sweep sends again what was not done. */
  readonly maxAgeHours: number;
  /**
   * Percent of what NATS may store for bomtrail. A stream that has used up its share drops its oldest messages,
   * so that it always takes new ones, and none takes the room of another. All shares, with that of the
   * attachments, are 100.
   */
  readonly storagePercent: number;
}

/** Bytes that the streams may take together where no setting says otherwise: 1 GiB. */
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

/** Where a message lies that a consumer gave up, among the others of that consumer. */
export const deadLetterSubjectOf = (consumer: string): string => `dead.${consumer}`;

/** The object-store bucket for bodies that do not fit into one message, and how long they live there. */
export const attachmentBucket = {
  name: 'attachments',
  ttlMinutes: 15,
  /** As of a stream; a full bucket refuses what is new. */
  storagePercent: 30,
} as const;

/** The stream in which the object store keeps that bucket. */
export const attachmentStream = `OBJ_${attachmentBucket.name}` as const;

/** A stream that is written to. */
export type StoringStream = StreamName | typeof attachmentStream;

/** On which it is tried whether a stream stores anything; nobody consumes it. */
export function probeSubjectOf(stream: StoringStream): string {
  return stream === attachmentStream ? `$O.${attachmentBucket.name}.C.probe` : `probe.${stream}`;
}

/** Bytes of a body, attachment included, that still travel inside the message; NATS's default payload limit is 1 MiB. */
export const inlineBodyLimit = 640 * 1024;
