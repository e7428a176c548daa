import { connectionsPerAddress, usualHttpConnections } from '@bomtrail/http-edge';
import { openProxy } from './open-proxy';
import { parseGateways } from './gateways';
import { logLine, runReverseProxy } from './run-reverse-proxy';

/**
 * Reverse proxy of the embedded run on `HTTP_HOST` and `HTTP_PORT`, for the gateways in `GATEWAYS` and the collector
 * at `HOST_METRICS_PORT`. Limits connections by the gateway's settings.
 */
runReverseProxy('proxy', (env) =>
  openProxy({
    host: env['HTTP_HOST'] || '127.0.0.1',
    port: Number(env['HTTP_PORT']),
    gateways: parseGateways(env['GATEWAYS']),
    hostMetricsPort: Number(env['HOST_METRICS_PORT']),
    connections: connectionLimits(env),
    onError: (reason) => logLine('proxy', 'warn', `A request could not be passed on: ${reason}`),
  }),
);

/** Reads settings of the gateway, which reports invalid values itself. */
function connectionLimits(env: NodeJS.ProcessEnv): { total: number; perAddress: number } {
  const given = (name: string): number | undefined => (env[name] ? Number(env[name]) : undefined);
  const total = given('MAX_HTTP_CONNECTIONS') ?? usualHttpConnections;
  const perAddress = given('MAX_HTTP_CONNECTIONS_PER_ADDRESS');
  const proxyHops = given('TRUSTED_PROXY_HOPS') ?? 0;
  return { total, perAddress: connectionsPerAddress({ total, perAddress, proxyHops }) };
}
