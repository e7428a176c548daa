import { pingOf, type ServiceName } from '@bomtrail/messages';
import { withTimeout } from '@bomtrail/concurrency';
import type { Kit } from '@bomtrail/service-runtime';
import {
  checkedServices,
  judgeAdvisories,
  judgeReadiness,
  type CheckState,
  type Checks,
  type Readiness,
} from './domain/readiness';

type Feeds = Parameters<typeof judgeAdvisories>[0];

/**
 * Timeout of a check; no response counts as down. The process's own checks have their own, shorter
 * timeout.
 */
const patienceMs = 1_000;

/** Checks all dependencies concurrently. Never throws. */
export async function reportReadiness(
  deps: Pick<Kit, 'request' | 'checks'> & { feeds: () => Promise<Feeds> },
): Promise<Readiness> {
  const [own, feeds, ...services] = await Promise.all([
    within(deps.checks(), { otherwise: {}, ms: 2 * patienceMs }),
    within<Feeds | null>(deps.feeds(), { otherwise: null, ms: patienceMs }),
    ...checkedServices.map((service) => pingState(deps, service)),
  ]);
  const responses = checkedServices.map((service, index) => [service, services[index]?.state]);
  // The gateway publishes only large bodies; the other services know the rest.
  const isStoring = own.jetstream !== 'down' && services.every(({ stores }) => stores);
  const checks: Checks = {
    mongodb: own.mongodb ?? 'down',
    nats: isStoring ? (own.nats ?? 'down') : 'down',
    ...(Object.fromEntries(responses) as Pick<Checks, (typeof checkedServices)[number]>),
  };
  return judgeReadiness(checks, feeds && judgeAdvisories(feeds));
}

interface Pinged {
  state: CheckState;
  /** Default: true. */
  stores: boolean;
}

function pingState(deps: Pick<Kit, 'request'>, service: ServiceName): Promise<Pinged> {
  const requested = deps.request(pingOf(service), {});
  return within<Pinged>(
    requested.then(({ body }) => ({ state: 'up', stores: body.stores !== false })),
    { otherwise: { state: 'down', stores: true }, ms: patienceMs },
  );
}

function within<Value>(
  work: Promise<Value>,
  { otherwise, ms }: { otherwise: Value; ms: number },
): Promise<Value> {
  return withTimeout(work, ms).catch(() => otherwise);
}
