import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { currentContext } from '@bomtrail/telemetry';
import type { Span } from '@bomtrail/telemetry';

/**
 * Creates a span for every MongoDB command of traced work. Needs the client option `monitorCommands`. Spans do not
 * contain the command itself, which may include user data.
 */
export function watchCommands(client: MongoClient): void {
  const spans = new Map<number, Span>();

  client.on('commandStarted', (event) => {
    const span = currentContext()?.span?.begin({
      name: `${event.commandName} ${collectionOf(event) ?? event.databaseName}`,
      kind: 'client',
      attributes: attributesOf(event),
    });
    if (span) spans.set(event.requestId, span);
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));

  function end(requestId: number, failure?: Error): void {
    const span = spans.get(requestId);
    if (!span) return;
    spans.delete(requestId);
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

/** The collection is in the field named like the command; of `getMore` in `collection`. */
function collectionOf({ command, commandName }: CommandStartedEvent): string | undefined {
  const named: unknown = command[commandName];
  if (typeof named === 'string') return named;
  const beside: unknown = command['collection'];
  return typeof beside === 'string' ? beside : undefined;
}
