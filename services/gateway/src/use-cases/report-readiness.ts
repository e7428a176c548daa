import { pingOf, type ServiceName } from '@bomtrail/messages';
import { inTime, type Kit } from '@bomtrail/service-kit';
import {
  checkedServices,
  judgeAdvisories,
  judgeReadiness,
  type CheckState,
  type Checks,
  type Readiness,
} from '../domain/readiness';

type Feeds = Parameters<typeof judgeAdvisories>[0];

/**
 * A prober does not wait: what has not answered by then counts as down. The process's own checks
 * have a bound of their own and get time to reach it.
 */
const patienceMs = 1_000;

/** Asks everything that the product consists of, all at once. Never throws. */
export async function reportReadiness(
  deps: Pick<Kit, 'request' | 'checks'> & { feeds: () => Promise<Feeds> },
): Promise<Readiness> {
  const [own, feeds, ...services] = await Promise.all([
    within(deps.checks(), { otherwise: {}, ms: 2 * patienceMs }),
    within<Feeds | null>(deps.feeds(), { otherwise: null, ms: patienceMs }),
    ...checkedServices.map((service) => pingState(deps, service)),
  ]);
  const answers = checkedServices.map((service, index) => [service, services[index]]);
  const checks: Checks = {
    mongodb: own.mongodb ?? 'down',
    nats: own.nats ?? 'down',
    ...(Object.fromEntries(answers) as Pick<Checks, (typeof checkedServices)[number]>),
  };
  return judgeReadiness(checks, feeds && judgeAdvisories(feeds));
}

function pingState(deps: Pick<Kit, 'request'>, service: ServiceName): Promise<CheckState> {
  const asked = deps.request(pingOf(service), {});
  return within(
    asked.then(() => 'up' as const),
    { otherwise: 'down', ms: patienceMs },
  );
}

function within<Value>(
  work: Promise<Value>,
  { otherwise, ms }: { otherwise: Value; ms: number },
): Promise<Value> {
  return inTime(work, ms).catch(() => otherwise);
}
