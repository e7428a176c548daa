import { scanRequested } from '@bomtrail/messages';
import { readAddresses } from '@bomtrail/embedded';
import { connectTestBus, layDeadLetter as lay, type TestBus } from '@bomtrail/testkit';

type RunningStack = { dataDir: string };

/** Of an upload to be scanned. */
const subject = `${scanRequested.name}.upload.0`;
/** A message that no consumer can decode. */
const body = new Uint8Array([1, 2, 3]);

/** Does something on the bus of a running stack. */
async function onBus<Result>(
  { dataDir }: RunningStack,
  work: (bus: TestBus) => Promise<Result>,
): Promise<Result> {
  const servers = await readAddresses(dataDir);
  if (!servers) throw new Error('The stack does not run.');
  const bus = await connectTestBus(servers.natsUrl);
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** Sends the scanner a message that it cannot decode, which it gives up at once. */
export async function sendUndecodable(stack: RunningStack): Promise<void> {
  await onBus(stack, ({ connection }) => connection.jetstream.publish(subject, body));
}

/** Stores a dead letter as if `consumer` had given up a message; returns its id. */
export function layDeadLetter(stack: RunningStack, consumer: string): Promise<number> {
  return onBus(stack, ({ connection }) => lay(connection, { consumer, subject, body }));
}
