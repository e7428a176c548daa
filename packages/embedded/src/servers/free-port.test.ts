import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { freePort, freePorts, portError } from './free-port';

describe('free ports', () => {
  it('can be opened by a browser', async () => {
    const { pid } = process;
    // The ports of this process begin at 10,064.
    Object.defineProperty(process, 'pid', { value: 1, configurable: true });
    const ports = await freePorts(64);
    Object.defineProperty(process, 'pid', { value: pid, configurable: true });
    expect(Math.min(...ports)).toBeLessThan(10_080);
    expect(Math.max(...ports)).toBeGreaterThan(10_080);
    expect(ports).not.toContain(10_080);
  });

  it('are all different, also over several calls', async () => {
    const ports = [await freePort(), ...(await freePorts(20)), await freePort()];
    expect(new Set(ports).size).toBe(22);
  });

  it('lie outside the range of outgoing connections', async () => {
    const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = 0] = range.split(/\s+/).map(Number);
    for (const port of await freePorts(10)) expect(port).toBeLessThan(first);
  });

  it('are not in use: a port that somebody listens on is passed over', async () => {
    const [before = 0] = await freePorts(1);
    const server = createServer().listen(before + 1);
    await new Promise((listening) => server.once('listening', listening));
    expect(await portError(before + 1)).toBe('EADDRINUSE');
    expect(await freePort()).toBe(before + 2);
    await new Promise((closed) => server.close(closed));
  });
});
