import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import {
  createConnectionCount,
  listen,
  type ConnectionLimits,
  type HttpServer,
} from '@bomtrail/http-edge';
import type { Logger } from '@bomtrail/telemetry';
import { Server, setLogger, type ServerCredentials } from '@grpc/grpc-js';
import { boundCalls } from './bound-calls';
import { closeGently } from './gentle-close';
import { createHealth } from './health';
import { methodLimits, type MethodLimitOptions } from './method-limits';
import { reflectionService } from './reflection';
import { createSbomService, type SbomServiceDeps } from './sbom-service';

/** Allowance for the other fields of a message, a multiple of their limits. */
const roomForFields = 1024 * 1024;
/** Streams per connection: the minimum that RFC 9113, 6.5.2 recommends. */
const maxStreams = 100;
/** Pings detect clients that disappeared. */
const keepaliveMs = 60_000;
const keepaliveTimeoutMs = 20_000;
/** Idle connections are closed, including those that never sent anything. */
const idleMs = 5 * 60_000;
/** Maximum connection age and grace; conforming HTTP/2 clients reconnect in time. */
const ageMs = 30 * 60_000;
/** An upload may still be in transfer (2 minutes) and then wait for its response (3 minutes). */
const ageGraceMs = 6 * 60_000;
/** After the last upload: time for pending responses and health watchers. */
const farewellMs = 1_000;

const servedNames = ['', 'sbom.SBOMService'];

export interface GrpcServerOptions extends MethodLimitOptions {
  host: string;
  port: number;
  credentials: ServerCredentials;
  connections: ConnectionLimits;
}

/**
 * Starts the gRPC server: uploads, checks, health, reflection.
 *
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function openGrpcServer(
  options: GrpcServerOptions,
  deps: SbomServiceDeps,
): Promise<HttpServer> {
  setLogger(libraryLogger(deps.log));
  const maxMessage = deps.maxBytes + roomForFields;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessage,
    'grpc.max_send_message_length': maxMessage,
    'grpc.max_concurrent_streams': maxStreams,
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
    'grpc.max_connection_idle_ms': idleMs,
    'grpc.max_connection_age_ms': ageMs,
    'grpc.max_connection_age_grace_ms': ageGraceMs,
    // Disables unused per-call statistics.
    'grpc.enable_channelz': 0,
    interceptors: [boundCalls(methodLimits(options), deps.proxyHops)],
  });
  const sboms = createSbomService(deps);
  server.addService(sboms.definition, sboms.implementation);
  const health = createHealth(servedNames);
  health.addTo(server);
  reflectionService().addToServer(server);
  const { port, stop, cut } = await acceptConnections(server, options);
  return {
    port,
    async close() {
      const closed = stop();
      health.set('NOT_SERVING');
      // Its callback does not wait for connections that clients are closing.
      server.tryShutdown(() => undefined);
      await sboms.idle();
      await Promise.race([closed, afterFarewell()]);
      server.forceShutdown();
      cut();
    },
  };
}

/** Replaces the library's listener, which has no connection limit. */
async function acceptConnections(server: Server, options: GrpcServerOptions) {
  const { connections, credentials } = options;
  const admits = createConnectionCount(connections);
  const injector = server.createConnectionInjector(credentials);
  closeGently(server);
  const open = new Set<Socket>();
  const listener: NetServer = createServer({ noDelay: true }, (socket) => {
    if (!admits(socket)) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    injector.injectConnection(socket);
  });
  await listen(listener, options);
  return {
    port: (listener.address() as AddressInfo).port,
    /** Stops accepting; resolves when the last connection is closed. */
    stop: () => new Promise<void>((resolve) => listener.close(() => resolve())),
    /** Includes connections on which HTTP/2 never started. */
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Redirects the library's console output to the log. */
function libraryLogger(log: Logger): Partial<Console> {
  const write = (...words: unknown[]): void => log.debug({ said: words.join(' ') }, 'gRPC library');
  return { error: write, info: write, debug: write };
}

function afterFarewell(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, farewellMs).unref());
}
