import { OperatorError } from '@bomtrail/terminal';
import { portError } from '../servers/free-port';

export const DEFAULT_HTTP_PORT = 8080;
export const DEFAULT_GRPC_PORT = 50_051;

/** Parses the port of a setting; undefined if not set. @throws OperatorError if it is not a port */
export function portSetting(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new OperatorError(
    `${name}=${text} is no port: give a number from 0 (any free one) to 65535.`,
  );
}

/** Returns `preferred` if it is free, else 0 for any free port. */
export async function preferredOrFree(preferred: number): Promise<number> {
  return (await portError(preferred)) === undefined ? preferred : 0;
}
