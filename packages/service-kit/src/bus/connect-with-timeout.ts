import { createLogger } from '../log/logger';
import type { BusSettings, BusUser } from './access';
import { connectBus, type BusConnection } from './connect';

const connectMs = 5_000;

/** What a person at the terminal is told in one line: NATS does not answer. */
export class BusUnreachable extends Error {}

/**
 * Connects a command that a person waits for: silently, and for some seconds only.
 *
 * @throws BusUnreachable
 */
export function connectWithTimeout(
  settings: BusSettings,
  { service, name }: { service: BusUser; name: string },
): Promise<BusConnection> {
  const log = createLogger({ service: name, level: 'fatal', format: 'text' });
  return new Promise((resolve, reject) => {
    const trouble = (why: string): void =>
      reject(new BusUnreachable(`NATS cannot be reached at NATS_URL: ${why}`));
    const timer = setTimeout(() => trouble(`no answer within ${connectMs / 1000} s`), connectMs);
    connectBus({ settings, service, name, log })
      .then(resolve, (error: unknown) => trouble((error as Error).message))
      .finally(() => clearTimeout(timer));
  });
}
