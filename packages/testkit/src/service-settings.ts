import type { TestServers } from './test-servers';

/** Settings for a service under test on these servers: silent, with free ports. */
export function serviceSettings(servers: Pick<TestServers, 'mongoUri' | 'natsUrl' | 'prefix'>) {
  return {
    MONGODB_URI: servers.mongoUri,
    MONGODB_DATABASE_PREFIX: servers.prefix,
    NATS_URL: servers.natsUrl,
    INTERNAL_HTTP_PORT: 0,
    INTERNAL_HTTP_HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  };
}
