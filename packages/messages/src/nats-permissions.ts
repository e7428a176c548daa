import type { ServiceName, StreamName } from './define';
import { inboxOf, questions, rights, serviceNames } from './rights';
import {
  attachmentBucket,
  attachmentStream,
  deadLetterSubjectOf,
  probeSubjectOf,
  streams,
} from './streams';

/** What one user of NATS may do. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** What a service needs on a NATS server, and nothing else. */
export function permissionsOf(service: ServiceName): Permissions {
  const { asks, publishes, consumes, watches, tells, onBroadcast } = rights[service];
  const answered = questions.filter((question) => question.service === service);
  const askers = serviceNames.filter((other) =>
    rights[other].asks.some((question) => question.service === service),
  );
  return {
    publish: [
      ...asks.map(({ subject }) => subject),
      ...askers.map((asker) => `${inboxOf(asker)}.>`),
      ...publishes.flatMap(({ name }) => [name, `${name}.>`]),
      ...tells.map(({ subject }) => subject),
      ...consumes.map(({ durable }) => deadLetterSubjectOf(durable)),
      ...publishedStreams(rights[service]).map(probeSubjectOf),
      ...streams.flatMap(({ name }) => ofStream(name, ['INFO', 'CREATE', 'UPDATE'])),
      ...consumes.flatMap(ofConsumer),
      ...watches.map(
        ({ message, durable }) => `$JS.API.CONSUMER.INFO.${message.stream}.${durable}`,
      ),
      ...ofAttachments(),
    ],
    subscribe: [
      `${inboxOf(service)}.>`,
      ...answered.map(({ subject }) => subject),
      ...onBroadcast.map(({ subject }) => subject),
    ],
  };
}

/** Streams on which a service puts messages, dead letters among them. */
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

/** Any question or answer may be too large for one message: all services share the bucket. */
function ofAttachments(): string[] {
  const stream = attachmentStream;
  return [
    // The library looks at the account before it opens a bucket.
    '$JS.API.INFO',
    `$O.${attachmentBucket.name}.>`,
    ...ofStream(stream, ['INFO', 'CREATE', 'UPDATE', 'PURGE', 'MSG.GET']),
    `$JS.API.DIRECT.GET.${stream}.>`,
    ...['CREATE', 'INFO', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.>`),
    `$JS.FC.${stream}.>`,
  ];
}

/** The name of the variable that gives a service's password. */
export function passwordVariable(service: ServiceName | 'operator'): string {
  return `NATS_${service.toUpperCase()}_PASSWORD`;
}

/** The file that a nats-server includes: a user for each service, its password from the environment. */
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
