import { Agent, type AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateways } from './gateways';

/**
 * Lines to the gateways: each new one goes to the next gateway that takes work, and to another one when
 * that does not answer. Nothing has been sent by then, so nothing is sent twice.
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
      // The library takes no stream along with an error, which its types do not know.
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
