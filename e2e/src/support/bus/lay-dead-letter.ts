import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { deadLetterSubjectOf, scanRequested } from '@bomtrail/messages';
import { connectTestBus, type TestBus } from '@bomtrail/testkit';
import { headers } from '@nats-io/transport-node';

/** Of an upload to be scanned. */
const subject = `${scanRequested.name}.upload.0`;

/** The bus of a running stack. */
export async function busOf({ dataDir }: { dataDir: string }): Promise<TestBus> {
  const servers = await readFile(path.join(dataDir, 'servers.json'), 'utf8');
  return connectTestBus((JSON.parse(servers) as { natsUrl: string }).natsUrl);
}

/** Sends the scanner a message that it cannot decode, which it gives up at once. */
export async function sendUndecodable(stack: { dataDir: string }): Promise<void> {
  const bus = await busOf(stack);
  await bus.connection.jetstream.publish(subject, new Uint8Array([1, 2, 3]));
  await bus.close();
}

/** Lays a letter as a consumer does that gives a message up; its id. */
export async function layDeadLetter(stack: { dataDir: string }, consumer: string): Promise<number> {
  const bus = await busOf(stack);
  const named = headers();
  named.set('Bomtrail-Subject', subject);
  named.set('Bomtrail-Attempts', '8');
  named.set('Bomtrail-Reason', 'broken');
  const { seq } = await bus.connection.jetstream.publish(
    deadLetterSubjectOf(consumer),
    new Uint8Array([1, 2, 3]),
    { headers: named },
  );
  await bus.close();
  return seq;
}
