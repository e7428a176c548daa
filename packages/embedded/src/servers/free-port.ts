import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemCodeOf } from '@bomtrail/terminal';

/** Below it lie the ports that well-known servers listen on. */
const LOWEST = 10_000;
/** Where Linux begins, unless it is told otherwise, to give out ports to outgoing connections. */
const USUAL_EPHEMERAL = 32_768;
/** Processes that start beside one another take their ports from places of this size. */
const PLACE = 64;

let given = 0;

/**
 * A TCP port on 127.0.0.1 that was free a moment ago, and that this process was not given before.
 * It lies outside the range from which the system takes the ports of outgoing connections: there, a
 * connection of another process can have the port before the server for which it was chosen listens.
 */
export async function freePort(): Promise<number> {
  const end = await firstEphemeralPort();
  const size = end - LOWEST;
  for (let tried = 0; tried < size; tried++) {
    const port = LOWEST + ((process.pid * PLACE + given++) % size);
    if ((await portError(port)) === undefined) return port;
  }
  throw new Error(`no port from ${LOWEST} to ${end} is free`);
}

/** Several different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** The system's error code (`EADDRINUSE`, `EACCES`) when one cannot listen on the port, else undefined. */
export function portError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCodeOf(error) ?? error.message));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Of Linux's `ip_local_port_range`; other systems begin higher than Linux usually does. */
async function firstEphemeralPort(): Promise<number> {
  try {
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const first = Number.parseInt(range, 10);
    return first >= LOWEST + PLACE ? Math.min(first, USUAL_EPHEMERAL) : USUAL_EPHEMERAL;
  } catch {
    return USUAL_EPHEMERAL;
  }
}
