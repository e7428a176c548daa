import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Hands each connection to the next of these ports of this machine that takes it, as a load balancer does. */
export async function balance(ports: readonly number[]): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(open, client);
    const from = turn++;
    handOn(client, { open, ports: ports.map((_, n) => ports[(from + n) % ports.length] ?? 0) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function handOn(client: Socket, at: { open: Set<Socket>; ports: readonly number[] }): void {
  const [port, ...others] = at.ports;
  if (port === undefined) {
    client.destroy();
    return;
  }
  const process = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  process.once('error', () => handOn(client, { ...at, ports: others }));
  process.once('connect', () => {
    process.removeAllListeners('error');
    track(at.open, process);
    for (const [one, other] of [
      [client, process],
      [process, client],
    ] as const) {
      one.pipe(other);
      one.once('close', () => other.destroy());
    }
  });
}

/** Keeps a socket until it closes; what breaks it closes it. */
function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => open.delete(socket));
}
