import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { currentContext } from '../log/context';
import type { Span } from './span';

/**
 * Makes a span of every command to MongoDB that belongs to traced work, from the driver's own events
 * (the client's option `monitorCommands` must be on). What a command asks for is not told: it holds
 * what people stored.
 */
export function watchCommands(client: MongoClient): void {
  const underWay = new Map<number, Span>();

  client.on('commandStarted', (event) => {
    const span = currentContext()?.span?.begin({
      name: `${event.commandName} ${collectionOf(event) ?? event.databaseName}`,
      kind: 'client',
      attributes: attributesOf(event),
    });
    if (span) underWay.set(event.requestId, span);
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));

  function end(requestId: number, failure?: Error): void {
    const span = underWay.get(requestId);
    if (!span) return;
    underWay.delete(requestId);
    if (failure) span.fail(failure.name);
    span.end();
  }
}

function attributesOf(event: CommandStartedEvent): Record<string, string> {
  const collection = collectionOf(event);
  return {
    'db.system.name': 'mongodb',
    'db.namespace': event.databaseName,
    'db.operation.name': event.commandName,
    ...(collection ? { 'db.collection.name': collection } : {}),
  };
}

/** Most commands name it under their own name, `getMore` beside it. */
function collectionOf({ command, commandName }: CommandStartedEvent): string | undefined {
  const named: unknown = command[commandName];
  if (typeof named === 'string') return named;
  const beside: unknown = command['collection'];
  return typeof beside === 'string' ? beside : undefined;
}
