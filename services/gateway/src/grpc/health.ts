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
  /** Sets the status of all services; streams of `Watch` are sent it. */
  set(status: ServingStatus): void;
}

/**
 * Answers health checks. The library's own implementation remembers every service name that a client ever watched;
 * this one holds nothing for a name beyond the stream that asks for it.
 *
 * @param names the services that are served; `` is the server as a whole
 */
export function createHealth(names: readonly string[]): Health {
  const known = new Set(names);
  const watching = new Set<WatchStream>();
  let current: ServingStatus = 'SERVING';

  return {
    addTo(server) {
      server.addService(service, {
        check({ request }: ServerUnaryCall<Asked, Answered>, answer: sendUnaryData<Answered>) {
          if (known.has(request.service)) answer(null, { status: current });
          else answer(statusOf(new AppError('not_found', 'No such service is served here.')));
        },
        watch(call: WatchStream) {
          if (!known.has(call.request.service)) {
            // The stream stays open: the service could come (health.proto). Here none does.
            call.write({ status: 'SERVICE_UNKNOWN' });
            return;
          }
          watching.add(call);
          call.on('cancelled', () => watching.delete(call));
          call.write({ status: current });
        },
        list(_call: ServerUnaryCall<object, object>, answer: sendUnaryData<object>) {
          const statuses = Object.fromEntries(names.map((name) => [name, { status: current }]));
          answer(null, { statuses });
        },
      });
    },
    set(status) {
      current = status;
      for (const call of watching) call.write({ status });
    },
  };
}
