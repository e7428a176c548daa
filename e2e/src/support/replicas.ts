import {
  builtServices,
  freePorts,
  repositoryRoot,
  type Stack,
  type StackOptions,
} from '@bomtrail/embedded';
import { balance } from './balance';

/** How many processes of each service run; one of those that are not named. */
export type Replicas = Readonly<Record<string, number>>;

/** `gateway=2,scanner=4`. @throws Error when it is written otherwise */
export function parseReplicas(text: string): Replicas {
  if (text.trim() === '') return {};
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [, service, count] = /^\s*([a-z]+)=([1-9])\s*$/.exec(part) ?? [];
      if (!service || !count) throw new Error(`BOMTRAIL_TEST_REPLICAS: ${part} is no service=1..9`);
      return [service, Number(count)];
    }),
  );
}

interface Replicated {
  /** What runs: `scanner`, `scanner-2`, … */
  services: NonNullable<StackOptions['services']>;
  /** The ports of the gateways but the first. */
  envOf(service: string): Record<string, string>;
  /** One base address and one gRPC port before all gateways; signals go to all processes of a service. */
  inFront(stack: Stack): Promise<Stack>;
}

/** Several processes of each service, as an operator runs them, behind one address. */
export async function replicate(replicas: Replicas): Promise<Replicated> {
  const services = builtServices(repositoryRoot()).flatMap((service) =>
    Array.from({ length: replicas[service.name] ?? 1 }, (_, n) => ({
      ...service,
      name: n === 0 ? service.name : `${service.name}-${n + 1}`,
    })),
  );
  const gateways = services.filter(({ name }) => name.startsWith('gateway-'));
  const free = await freePorts(2 * gateways.length);
  const ports = new Map(
    gateways.map(({ name }, n) => [name, { http: free[2 * n] ?? 0, grpc: free[2 * n + 1] ?? 0 }]),
  );
  return {
    services,
    envOf(service): Record<string, string> {
      const own = ports.get(service);
      return own ? { HTTP_PORT: String(own.http), GRPC_PORT: String(own.grpc) } : {};
    },
    async inFront(stack) {
      if (Object.keys(replicas).length === 0) return stack;
      const further = [...ports.values()];
      const first = Number(new URL(stack.baseUrl).port);
      const http = await balance([first, ...further.map((one) => one.http)]);
      const grpc = await balance([stack.grpcPort, ...further.map((one) => one.grpc)]);
      return {
        ...stack,
        baseUrl: `http://127.0.0.1:${http.port}`,
        grpcPort: grpc.port,
        kill(service, signal) {
          const all = stack.processes().filter(({ name }) => name.replace(/-\d$/, '') === service);
          for (const { name } of all) stack.kill(name, signal);
        },
        async stop() {
          http.close();
          grpc.close();
          await stack.stop();
        },
      };
    },
  };
}
