import type { StreamName } from './define';

/** A JetStream stream as the services create it, idempotently, at start. */
export interface StreamDefinition {
  readonly name: StreamName;
  readonly subjects: readonly string[];
  /** `workqueue`: a message is gone once its consumer has acknowledged it. */
  readonly retention: 'limits' | 'workqueue';
  /** Hours after which a message is dropped, 0 = never. The database is the truth: a sweep sends again what was not done. */
  readonly maxAgeHours: number;
}

export const streams: readonly StreamDefinition[] = [
  {
    name: 'EVENTS',
    subjects: ['scan.completed.>', 'scan.failed.>', 'sbom.>', 'vulnerability.>'],
    retention: 'limits',
    maxAgeHours: 72,
  },
  { name: 'WORK', subjects: ['scan.requested.>'], retention: 'workqueue', maxAgeHours: 0 },
  { name: 'DEAD', subjects: ['dead.>'], retention: 'limits', maxAgeHours: 24 * 30 },
];

/** Where a message lies that a consumer gave up, among the others of that consumer. */
export const deadLetterSubjectOf = (consumer: string): string => `dead.${consumer}`;

/** The object-store bucket for bodies that do not fit into one message, and how long they live there. */
export const attachmentBucket = { name: 'attachments', ttlMinutes: 15 } as const;

/** The stream in which the object store keeps that bucket. */
export const attachmentStream = `OBJ_${attachmentBucket.name}`;

/** Bytes of a body, attachment included, that still travel inside the message; NATS's default payload limit is 1 MiB. */
export const inlineBodyLimit = 640 * 1024;
