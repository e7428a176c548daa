export { noProxies, proxyFor, readProxies, type Proxies } from './proxies';
export { proxiedFetch } from './proxied-fetch';
export { retryAfterMs } from './retry-after';
