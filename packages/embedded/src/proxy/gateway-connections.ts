import { Agent, type AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateways } from './gateways';

/**
 * Connection pool to the gateways: a new connection goes to the next ready gateway, or to another one if it does not
 * respond. Nothing has been sent before, so nothing is sent twice.
 */
export class GatewayConnections extends Agent {
  constructor(
    private readonly gateways: Gateways,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.dial().then(
      (socket) => done?.(null, socket),
      // The types require a stream even with an error.
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  private async dial(): Promise<Socket> {
    let lastError: unknown = new Error('no gateway is known');
    for (const port of this.gateways.roundRobin()) {
      try {
        return await connected(port);
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError;
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
