import { join } from 'node:path';
import { repositoryRoot } from '../repository';
import { freePorts } from '../servers/free-port';
import type { ServiceCommand } from './services';

/** The reverse proxy and host metrics collector in front of the gateway. */
export interface Front {
  /** Settings of the gateway behind the proxy. */
  gatewayEnv: Record<string, string>;
  programs: ServiceCommand[];
  /** Settings of the two programs; no others, and no secrets. */
  env: (gatewayInternalPort: number) => Record<string, string>;
}

/** Settings of the gateway that the proxy applies, too. */
const sharedSettings = [
  'MAX_HTTP_CONNECTIONS',
  'MAX_HTTP_CONNECTIONS_PER_ADDRESS',
  'TRUSTED_PROXY_HOPS',
];

/** Other machines reach an embedded run only if `HTTP_HOST` says so. */
const loopback = '127.0.0.1';

/**
 * Plans the front of a stack: REST goes through the proxy, gRPC directly to the gateway.
 *
 * @param at the requested base address
 */
export async function planFront(at: { httpPort: number }, env: NodeJS.ProcessEnv): Promise<Front> {
  const [restPort = 0, hostMetricsPort = 0] = await freePorts(2);
  const host = env['HTTP_HOST'] || loopback;
  const hops = env['TRUSTED_PROXY_HOPS'] || '0';
  const program = (name: string): ServiceCommand => ({
    name,
    command: process.execPath,
    args: [join(repositoryRoot(), 'packages', 'embedded', 'dist', name, 'main.js')],
  });
  return {
    gatewayEnv: {
      HTTP_HOST: loopback,
      HTTP_PORT: String(restPort),
      // All connections come from the proxy, which limits them per client.
      MAX_HTTP_CONNECTIONS_PER_ADDRESS: '',
      GRPC_HOST: env['GRPC_HOST'] || host,
      // Invalid values are passed on: the gateway reports them.
      TRUSTED_PROXY_HOPS: /^\d+$/.test(hops) ? String(Number(hops) + 1) : hops,
      GRPC_TRUSTED_PROXY_HOPS: env['GRPC_TRUSTED_PROXY_HOPS'] || hops,
    },
    programs: [program('host-metrics'), program('proxy')],
    env: (gatewayInternalPort) => ({
      HTTP_HOST: host,
      HTTP_PORT: String(at.httpPort),
      GATEWAYS: `${restPort}/${gatewayInternalPort}`,
      HOST_METRICS_PORT: String(hostMetricsPort),
      ...Object.fromEntries(sharedSettings.map((name) => [name, env[name] ?? ''])),
    }),
  };
}
