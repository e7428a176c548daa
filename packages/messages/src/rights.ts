import * as areas from './areas';
import {
  serviceNames,
  type BroadcastDefinition,
  type ConsumerDefinition,
  type MessageDefinition,
  type RpcDefinition,
  type ServiceName,
} from './define';

export type RequestDefinition = Pick<
  RpcDefinition<unknown, unknown>,
  'subject' | 'service' | 'callers' | 'cancelSubject'
>;
type Message = Pick<MessageDefinition<unknown>, 'name' | 'stream' | 'publishers'>;
type Consumer = Pick<
  ConsumerDefinition<unknown>,
  'durable' | 'service' | 'watchers' | 'filterSubject'
> & { readonly message: Pick<Message, 'name' | 'stream'> };
type Broadcast = Pick<BroadcastDefinition<unknown>, 'subject' | 'publishers' | 'listeners'>;

/** What a service may do on the bus besides handling its requests; NATS permits nothing else. */
export interface Rights {
  readonly requests: readonly RequestDefinition[];
  readonly publishes: readonly Message[];
  /** Consumers that it runs. */
  readonly consumes: readonly Consumer[];
  /** Consumers whose length it reads. */
  readonly watches: readonly Consumer[];
  readonly broadcasts: readonly Broadcast[];
  readonly listensTo: readonly Broadcast[];
}

const definitions: readonly object[] = Object.values<unknown>(areas).filter(
  (value): value is object => typeof value === 'object' && value !== null,
);

/** All requests of the bus. */
export const requestDefinitions: readonly RequestDefinition[] = [
  ...definitions.filter((one): one is RequestDefinition => 'callers' in one),
  ...areas.ownersOfProjectData.map(areas.deleteProjectData),
  ...serviceNames.map(areas.pingOf),
];
/** The service that reads, replays and deletes the dead letters of all. */
export const deadLetterService: ServiceName = areas.readDeadLetter.service;
const messages = definitions.filter((one): one is Message => 'stream' in one);
const consumers = definitions.filter((one): one is Consumer => 'durable' in one);
const broadcasts = definitions.filter((one): one is Broadcast => 'listeners' in one);

/** The rights of each service, from the definitions. A test compares them with the sources. */
export const rights = Object.fromEntries(
  serviceNames.map((service) => [service, rightsOf(service)]),
) as Readonly<Record<ServiceName, Rights>>;

function rightsOf(service: ServiceName): Rights {
  return {
    requests: requestDefinitions.filter(({ callers }) => callers.includes(service)),
    publishes: messages.filter(({ publishers }) => publishers.includes(service)),
    consumes: consumers.filter((consumer) => consumer.service === service),
    watches: consumers.filter(({ watchers }) => watchers.includes(service)),
    broadcasts: broadcasts.filter(({ publishers }) => publishers.includes(service)),
    listensTo: broadcasts.filter(({ listeners }) => listeners.includes(service)),
  };
}

/** Subject prefix of responses to a service's requests; no other service may subscribe to it. */
export function inboxOf(service: ServiceName | 'operator'): string {
  return `_INBOX_${service}`;
}
