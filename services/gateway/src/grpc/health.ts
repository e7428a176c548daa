import type { sendUnaryData, Server, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { AppError } from '@bomtrail/messages';
import { service } from 'grpc-health-check';
import { statusOf } from './status-of';

export type ServingStatus = 'SERVING' | 'NOT_SERVING';

interface Asked {
  service: string;
}
interface Answered {
  status: ServingStatus | 'SERVICE_UNKNOWN';
}
type WatchStream = Pick<ServerWritableStream<Asked, Answered>, 'request' | 'write' | 'on'>;

/** `grpc.health.v1.Health` for a fixed set of services. */
export interface Health {
  addTo(server: Server): void;
  /** Sets the status of all services and sends it to `Watch` streams. */
  set(status: ServingStatus): void;
}

/**
 * Serves health checks. Unlike the library's implementation, it stores nothing for watched service
 * names beyond their streams.
 *
 * @param names the served services; `` is the whole server
 */
export function createHealth(names: readonly string[]): Health {
  const known = new Set(names);
  const watching = new Set<WatchStream>();
  let current: ServingStatus = 'SERVING';

  return {
    addTo(server) {
      server.addService(service, {
        check({ request }: ServerUnaryCall<Asked, Answered>, respond: sendUnaryData<Answered>) {
          if (known.has(request.service)) respond(null, { status: current });
          else respond(statusOf(new AppError('not_found', 'Unknown service.')));
        },
        watch(call: WatchStream) {
          if (!known.has(call.request.service)) {
            // Unknown services keep their stream open (health.proto).
            call.write({ status: 'SERVICE_UNKNOWN' });
            return;
          }
          watching.add(call);
          call.on('cancelled', () => watching.delete(call));
          call.write({ status: current });
        },
        list(_call: ServerUnaryCall<object, object>, respond: sendUnaryData<object>) {
          const statuses = Object.fromEntries(names.map((name) => [name, { status: current }]));
          respond(null, { statuses });
        },
      });
    },
    set(status) {
      current = status;
      for (const call of watching) call.write({ status });
    },
  };
}
