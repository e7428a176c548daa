import { connectionsPerAddress, usualHttpConnections } from '@bomtrail/http-edge';
import { openProxy } from './open-proxy';
import { parseGateways } from './gateways';
import { logLine, runReverseProxy } from './run-reverse-proxy';

/**
 * The reverse proxy of the embedded run, on `HTTP_HOST` and `HTTP_PORT`, before the gateways that
 * `GATEWAYS` names and the collector at `HOST_METRICS_PORT`. It limits connections by the gateway's settings.
 */
runReverseProxy('proxy', (env) =>
  openProxy({
    host: env['HTTP_HOST'] || '0.0.0.0',
    port: Number(env['HTTP_PORT']),
    gateways: parseGateways(env['GATEWAYS']),
    hostMetricsPort: Number(env['HOST_METRICS_PORT']),
    connections: connectionLimits(env),
    onError: (reason) => logLine('proxy', 'warn', `A request could not be passed on: ${reason}`),
  }),
);

/** The gateway's settings of these names; the gateway says what is wrong with them. */
function connectionLimits(env: NodeJS.ProcessEnv): { total: number; perAddress: number } {
  const given = (name: string): number | undefined => (env[name] ? Number(env[name]) : undefined);
  const total = given('MAX_HTTP_CONNECTIONS') ?? usualHttpConnections;
  const perAddress = given('MAX_HTTP_CONNECTIONS_PER_ADDRESS');
  const proxyHops = given('TRUSTED_PROXY_HOPS') ?? 0;
  return { total, perAddress: connectionsPerAddress({ total, perAddress, proxyHops }) };
}
