import { openProxy } from './open-proxy';
import { parseGateways } from './gateways';
import { logLine, runDoor } from './run-door';

/**
 * The reverse proxy of the embedded run, on `HTTP_HOST` and `HTTP_PORT`, before the gateways that
 * `GATEWAYS` names and the collector at `HOST_METRICS_PORT`.
 */
runDoor('proxy', (env) =>
  openProxy({
    host: env['HTTP_HOST'] || '0.0.0.0',
    port: Number(env['HTTP_PORT']),
    gateways: parseGateways(env['GATEWAYS']),
    hostMetricsPort: Number(env['HOST_METRICS_PORT']),
    onTrouble: (reason) => logLine('proxy', 'warn', `A request could not be passed on: ${reason}`),
  }),
);
