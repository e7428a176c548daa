import { createLogger, type Logger } from '@bomtrail/telemetry';
import type { BusSettings, BusUser } from './access';
import { connectBus, type BusConnection } from './connect';

const connectMs = 5_000;

/** NATS cannot be reached; the message is one line for a person at a terminal. */
export class BusUnreachable extends Error {}

/**
 * Connects a command-line tool: without log output, for at most 5 seconds. The error has the reason of the last
 * attempt, such as a wrong password.
 *
 * @throws BusUnreachable
 */
export function connectWithTimeout(
  settings: BusSettings,
  { service, name }: { service: BusUser; name: string },
): Promise<BusConnection> {
  let reason = '';
  const silent = createLogger({ service: name, level: 'fatal', format: 'text' });
  const log: Logger = Object.create(silent, {
    warn: { value: (line: { reason?: string }) => void (reason = line.reason ?? reason) },
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new BusUnreachable(`NATS cannot be reached at NATS_URL: ${why}`));
    const late = (): void => fail(reason || `no response within ${connectMs / 1000} s`);
    const timer = setTimeout(late, connectMs);
    connectBus({ settings, service, name, log })
      .then(resolve, (error: unknown) => fail((error as Error).message))
      .finally(() => clearTimeout(timer));
  });
}
