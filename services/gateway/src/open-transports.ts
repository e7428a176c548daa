import { openHttpServer, type HttpServer } from '@bomtrail/http-edge';
import { listeningOn } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import type { composeRest } from './compose-rest';
import type { Settings } from './config';
import { connectionLimits } from './connection-limits';
import { credentialsOf } from './grpc/credentials';
import type { SbomServiceDeps } from './grpc/sbom-service';
import { openGrpcServer } from './grpc/server';
import type { Metrics } from './metrics';

/** The running public transports. */
export interface Transports extends HttpServer {
  readonly grpcPort: number;
}

interface TransportDeps {
  log: Logger;
  metrics: Metrics;
  app: ReturnType<typeof composeRest>;
  grpc: SbomServiceDeps;
  /** See `MethodLimitOptions`. */
  requestMs: number | undefined;
}

/**
 * Opens the ports of REST and gRPC.
 *
 * @throws Error with code EADDRINUSE if one is taken; SettingsError if this machine does not have the address
 */
export async function openTransports(
  settings: Settings,
  { log, metrics, app, grpc: grpcDeps, requestMs }: TransportDeps,
): Promise<Transports> {
  const { HTTP_HOST: host, GRPC_HOST: grpcHost = host } = settings;
  const limits = connectionLimits(settings, { log, metrics });
  const rest = await listeningOn(
    'HTTP_HOST',
    openHttpServer({
      host,
      port: settings.HTTP_PORT,
      listener: app,
      connections: limits.rest,
    }),
  );
  log.info({ port: rest.port }, 'The REST API listens.');
  const grpc = await listeningOn(
    settings.GRPC_HOST === undefined ? 'HTTP_HOST' : 'GRPC_HOST',
    openGrpcServer(
      {
        host: grpcHost,
        port: settings.GRPC_PORT,
        credentials: credentialsOf(settings),
        connections: limits.grpc,
        watches: settings.MAX_GRPC_WATCHES,
        requestMs,
      },
      grpcDeps,
    ),
  );
  const tls = settings.GRPC_TLS_CERT !== undefined;
  log.info({ port: grpc.port, tls }, 'The gRPC API listens.');
  return {
    port: rest.port,
    grpcPort: grpc.port,
    async close() {
      await Promise.all([rest.close(), grpc.close()]);
    },
  };
}
