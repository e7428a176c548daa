import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemCodeOf } from '@bomtrail/terminal';

/** Lower ports are used by well-known servers. */
const LOWEST = 10_000;
/** Default start of Linux's range for outgoing connections. */
const USUAL_EPHEMERAL = 32_768;
/** Browsers and `fetch` refuse it: the highest of the bad ports (Fetch Standard, 2.9 "Port blocking"). */
const BLOCKED = 10_080;
/** Concurrent processes take their ports from blocks of this size. */
const PLACE = 64;

let given = 0;

/**
 * Returns a TCP port on 127.0.0.1 that is free now and was not returned before. It is outside the range for outgoing
 * connections, which could take it before the server listens.
 */
export async function freePort(): Promise<number> {
  const end = await firstEphemeralPort();
  const size = end - LOWEST;
  for (let tried = 0; tried < size; tried++) {
    const port = LOWEST + ((process.pid * PLACE + given++) % size);
    if (port !== BLOCKED && (await portError(port)) === undefined) return port;
  }
  throw new Error(`no port from ${LOWEST} to ${end} is free`);
}

/** Returns several different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** Returns the system error code (`EADDRINUSE`, `EACCES`) if the port cannot be opened, else undefined. */
export function portError(port: number): Promise<string | undefined> {
  return listenError({ port });
}

/** The same of an address; without `host` of all of this machine. */
export function listenError(at: { host?: string; port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCodeOf(error) ?? error.message));
    server.listen({ ...at, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Start of Linux's `ip_local_port_range`; other systems start higher. */
async function firstEphemeralPort(): Promise<number> {
  try {
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const first = Number.parseInt(range, 10);
    return first >= LOWEST + PLACE ? Math.min(first, USUAL_EPHEMERAL) : USUAL_EPHEMERAL;
  } catch {
    return USUAL_EPHEMERAL;
  }
}
