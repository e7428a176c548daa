import {
  connectionsPerAddress,
  type ConnectionLimits,
  type RefusedConnection,
} from '@bomtrail/http-edge';
import type { Logger } from '@bomtrail/telemetry';
import type { Settings } from './config';
import type { Metrics } from './metrics';

type LimitSettings = Pick<
  Settings,
  | 'MAX_HTTP_CONNECTIONS'
  | 'MAX_HTTP_CONNECTIONS_PER_ADDRESS'
  | 'MAX_GRPC_CONNECTIONS'
  | 'MAX_GRPC_CONNECTIONS_PER_ADDRESS'
  | 'TRUSTED_PROXY_HOPS'
  | 'GRPC_TRUSTED_PROXY_HOPS'
>;

/** One log line per minute, even in a flood; the metric counts the connections. */
const warnEveryMs = 60_000;

/** Number of trusted proxies in front of the gRPC API. */
export function grpcProxyHops(settings: LimitSettings): number {
  return settings.GRPC_TRUSTED_PROXY_HOPS ?? settings.TRUSTED_PROXY_HOPS;
}

/**
 * Connection limits of both APIs from the settings; rejected connections are counted and logged.
 */
export function connectionLimits(
  settings: LimitSettings,
  { log, metrics }: { log: Logger; metrics: Pick<Metrics, 'refusedConnections'> },
): Record<'rest' | 'grpc', ConnectionLimits> {
  const onRefused = (protocol: 'rest' | 'grpc') => {
    let warnedAt = -Infinity;
    return ({ limit, address }: RefusedConnection): void => {
      metrics.refusedConnections.inc({ protocol, limit });
      if (performance.now() - warnedAt < warnEveryMs) return;
      warnedAt = performance.now();
      log.warn(
        { protocol, limit, client: address },
        'Too many connections: further ones are closed.',
      );
    };
  };
  const limits = (
    protocol: 'rest' | 'grpc',
    given: Parameters<typeof connectionsPerAddress>[0],
  ): ConnectionLimits => ({
    total: given.total,
    perAddress: connectionsPerAddress(given),
    onRefused: onRefused(protocol),
  });
  return {
    rest: limits('rest', {
      total: settings.MAX_HTTP_CONNECTIONS,
      perAddress: settings.MAX_HTTP_CONNECTIONS_PER_ADDRESS,
      proxyHops: settings.TRUSTED_PROXY_HOPS,
    }),
    grpc: limits('grpc', {
      total: settings.MAX_GRPC_CONNECTIONS,
      perAddress: settings.MAX_GRPC_CONNECTIONS_PER_ADDRESS,
      proxyHops: grpcProxyHops(settings),
    }),
  };
}
