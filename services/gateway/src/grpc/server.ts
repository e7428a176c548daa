import type { HttpServer } from '@bomtrail/http-edge';
import type { Logger } from '@bomtrail/service-kit';
import { Server, setLogger, type ServerCredentials } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { reflectionService } from './reflection';
import { createUploadService, type UploadServiceDeps } from './upload-service';

/** What surrounds the document in a message: the other fields, at many times their bounds. */
const roomForFields = 1024 * 1024;
/** More calls than this on one connection wait for each other. */
const maxStreams = 1_000;
/** A client that is gone without a word is noticed by pings. */
const keepaliveMs = 60_000;
const keepaliveTimeoutMs = 20_000;
/** After the last upload: for answers that are still on their way, and for who watches our health. */
const farewellMs = 1_000;

const servedNames = ['', 'sbom.SBOMService'];

/** Opens the gRPC door: uploads, health, reflection. @throws Error when the port is taken */
export async function openGrpcServer(
  at: { host: string; port: number; credentials: ServerCredentials },
  deps: UploadServiceDeps,
): Promise<HttpServer> {
  setLogger(libraryLogger(deps.log));
  const maxMessage = deps.maxBytes + roomForFields;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessage,
    'grpc.max_send_message_length': maxMessage,
    'grpc.max_concurrent_streams': maxStreams,
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
  });
  const uploads = createUploadService(deps);
  server.addService(uploads.definition, uploads.implementation);
  const health = new HealthImplementation();
  health.addToServer(server);
  reflectionService().addToServer(server);
  const port = await bind(server, at);
  const tell = (status: 'SERVING' | 'NOT_SERVING'): void => {
    for (const name of servedNames) health.setStatus(name, status);
  };
  tell('SERVING');
  return {
    port,
    async close() {
      tell('NOT_SERVING');
      const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await uploads.idle();
      await Promise.race([closed, afterFarewell()]);
      server.forceShutdown();
    },
  };
}

/** The library writes to the console otherwise, between our lines. */
function libraryLogger(log: Logger): Partial<Console> {
  const write = (...words: unknown[]): void => log.debug({ said: words.join(' ') }, 'gRPC library');
  return { error: write, info: write, debug: write };
}

function bind(
  server: Server,
  { host, port, credentials }: { host: string; port: number; credentials: ServerCredentials },
): Promise<number> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

function afterFarewell(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, farewellMs).unref());
}
