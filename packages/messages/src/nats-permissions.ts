import { serviceNames, type ServiceName, type StreamName } from './define';
import { deadLetterService, inboxOf, requestDefinitions, rights } from './rights';
import {
  attachmentBucket,
  attachmentStream,
  deadLetterSubjectOf,
  probeSubjectOf,
  streams,
} from './streams';

/** Permissions of a NATS user. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The minimal permissions of a service. */
export function permissionsOf(service: ServiceName): Permissions {
  const { requests, publishes, consumes, watches, broadcasts, listensTo } = rights[service];
  const handled = requestDefinitions.filter((definition) => definition.service === service);
  const callers = serviceNames.filter((other) =>
    rights[other].requests.some((definition) => definition.service === service),
  );
  return {
    publish: [
      ...requests.flatMap(subjectsOf),
      ...callers.map((caller) => `${inboxOf(caller)}.>`),
      ...publishes.flatMap(({ name }) => [name, `${name}.>`]),
      ...broadcasts.map(({ subject }) => subject),
      ...consumes.map(({ durable }) => deadLetterSubjectOf(durable)),
      ...publishedStreams(rights[service]).map(probeSubjectOf),
      ...streams.flatMap(({ name }) => ofStream(name, ['INFO', 'CREATE', 'UPDATE'])),
      ...consumes.flatMap(ofConsumer),
      ...watches.map(
        ({ message, durable }) => `$JS.API.CONSUMER.INFO.${message.stream}.${durable}`,
      ),
      ...ofAttachments(),
      ...(service === deadLetterService ? ofDeadLetters() : []),
    ],
    subscribe: [
      `${inboxOf(service)}.>`,
      ...handled.flatMap(subjectsOf),
      ...listensTo.map(({ subject }) => subject),
    ],
  };
}

function subjectsOf({ subject, cancelSubject }: (typeof requestDefinitions)[number]): string[] {
  return cancelSubject === undefined ? [subject] : [subject, cancelSubject];
}

/** Streams that a service publishes to, including dead letters. */
function publishedStreams({ publishes, consumes }: (typeof rights)[ServiceName]): StreamName[] {
  const own = publishes.map(({ stream }) => stream);
  return [...new Set<StreamName>([...own, ...(consumes.length > 0 ? (['DEAD'] as const) : [])])];
}

function ofStream(stream: string, verbs: readonly string[]): string[] {
  return verbs.map((verb) => `$JS.API.STREAM.${verb}.${stream}`);
}

function ofConsumer(consumer: (typeof rights)[ServiceName]['consumes'][number]): string[] {
  const { durable, filterSubject, message } = consumer;
  const at = `${message.stream}.${durable}`;
  return [
    `$JS.API.CONSUMER.CREATE.${at}.${filterSubject}`,
    `$JS.API.CONSUMER.INFO.${at}`,
    `$JS.API.CONSUMER.MSG.NEXT.${at}`,
    `$JS.ACK.${at}.>`,
  ];
}

/** Reads and deletes letters, and publishes again what some consumer of this release takes. */
function ofDeadLetters(): string[] {
  const consumed = serviceNames.flatMap((name) => rights[name].consumes);
  return [
    ...ofStream('DEAD', ['MSG.GET', 'MSG.DELETE']),
    ...consumed.flatMap(({ message: { name } }) => [name, `${name}.>`]),
  ];
}

/** All services share the bucket, because any request or response may exceed one message. */
function ofAttachments(): string[] {
  const stream = attachmentStream;
  return [
    // The library reads the account before it opens a bucket.
    '$JS.API.INFO',
    `$O.${attachmentBucket.name}.>`,
    ...ofStream(stream, ['INFO', 'CREATE', 'UPDATE', 'PURGE', 'MSG.GET']),
    `$JS.API.DIRECT.GET.${stream}.>`,
    ...['CREATE', 'INFO', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.>`),
    `$JS.FC.${stream}.>`,
  ];
}

/** Name of the environment variable with a service's password. */
export function passwordVariable(service: ServiceName | 'operator'): string {
  return `NATS_${service.toUpperCase()}_PASSWORD`;
}

/**
 * The file to include in nats-server's configuration: a user for each service, with its password
 * from the environment.
 */
export function natsPermissionsFile(): string {
  return [
    '# Generated from packages/messages: npm run gen. Do not edit.',
    '# To be included in the configuration of nats-server; docs/security.md says how.',
    'authorization {',
    '  users = [',
    ...serviceNames.flatMap((service) => userLines(service, permissionsOf(service))),
    '    # For people at the terminal: the command dead-letters.',
    ...userLines('operator', { publish: ['>'], subscribe: [`${inboxOf('operator')}.>`] }),
    '  ]',
    '}',
    '',
  ].join('\n');
}

function userLines(
  service: ServiceName | 'operator',
  { publish, subscribe }: Permissions,
): string[] {
  const list = (subjects: readonly string[]): string[] =>
    [...new Set(subjects)].sort().map((subject) => `          "${subject}"`);
  return [
    '    {',
    `      user: "${service}"`,
    `      password: $${passwordVariable(service)}`,
    '      permissions: {',
    '        publish: { allow: [',
    ...list(publish),
    '        ] }',
    '        subscribe: { allow: [',
    ...list(subscribe),
    '        ] }',
    '      }',
    '    }',
  ];
}
