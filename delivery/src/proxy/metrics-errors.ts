import { withCaddy, type RunningCaddy } from './run-caddy';

/** The response of the stand-in for node_exporter. */
export const hostMetrics = 'node_load1 1\n';

type Run = Parameters<typeof withCaddy>[0];

/** A caller, and whether they are to read the metrics of the host. */
interface Case {
  readonly what: string;
  readonly settings: NodeJS.ProcessEnv;
  /** Sent as X-Forwarded-For. */
  readonly forwarded?: string;
  readonly isAllowed: boolean;
}

const [outside, inside] = ['198.51.100.7', '10.1.2.3'];
const onlyPrivate = { BOMTRAIL_HOST_METRICS_FROM: 'private_ranges' };
const networks = { BOMTRAIL_HOST_METRICS_FROM: '192.0.2.0/24 10.0.0.0/8' };
/** Not this machine, from which all requests come here. */
const noTrust = { TRUSTED_PROXIES: '192.0.2.0/24' };

const cases: readonly Case[] = [
  { what: 'anybody by default', settings: {}, forwarded: outside, isAllowed: true },
  { what: 'this machine, private_ranges', settings: onlyPrivate, isAllowed: true },
  {
    what: 'a client of a trusted proxy, private_ranges',
    settings: onlyPrivate,
    forwarded: inside,
    isAllowed: true,
  },
  {
    what: 'a public client of a trusted proxy, private_ranges',
    settings: onlyPrivate,
    forwarded: outside,
    isAllowed: false,
  },
  {
    what: 'a public client of a trusted proxy that made up a private address before',
    settings: onlyPrivate,
    forwarded: `${inside}, ${outside}`,
    isAllowed: false,
  },
  {
    what: 'a client that made up an address of the networks',
    settings: { ...networks, ...noTrust },
    forwarded: inside,
    isAllowed: false,
  },
  {
    what: 'a client of the networks behind a trusted proxy',
    settings: networks,
    forwarded: inside,
    isAllowed: true,
  },
  { what: 'this machine, networks without it', settings: networks, isAllowed: false },
];

/** Callers who may not read the metrics must get the gateway's 404, as for any unknown path. */
export async function metricsErrors(run: Run): Promise<string[]> {
  const errors: string[] = [];
  for (const one of cases) {
    const settings = { ...run.settings, ...one.settings };
    const wrong = await withCaddy({ ...run, settings }, (proxy) => errorOf(proxy, one));
    if (wrong !== undefined) errors.push(`${one.what}: ${wrong}`);
  }
  return errors;
}

async function errorOf(
  { baseUrl }: RunningCaddy,
  { forwarded, isAllowed }: Case,
): Promise<string | undefined> {
  const headers = new Headers(forwarded === undefined ? [] : [['x-forwarded-for', forwarded]]);
  for (const path of ['/metrics', '/metrics?x=1', '/METRICS']) {
    const response = await fetch(baseUrl + path, { headers });
    const text = await response.text();
    if (text.includes(hostMetrics) !== isAllowed) return `${path} is ${response.status}`;
    if (!isAllowed && (response.status !== 404 || !text.includes('"code":"not_found"')))
      return `${path} is not the gateway's 404: ${response.status} ${text.slice(0, 100)}`;
    if (response.headers.get('x-request-id') === null) return `${path} has no X-Request-Id`;
  }
  return undefined;
}
