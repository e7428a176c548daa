export type CheckState = 'up' | 'down';

/** In the order in which `GET /readyz` shows them. */
export const checkedServices = ['ingest', 'catalog', 'scanner', 'reconciler', 'notifier'] as const;

export type Checks = Record<'mongodb' | 'nats' | (typeof checkedServices)[number], CheckState>;

/** Without one of these an upload cannot be accepted (decisions.md "Bodies that are not shown"). */
const needed = ['mongodb', 'nats', 'ingest', 'catalog'] as const;

export interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Checks;
}

/** `degraded`: an upload is still accepted and safe. */
export function judgeReadiness(checks: Checks): Readiness {
  if (needed.some((name) => checks[name] === 'down')) return { status: 'not_ready', checks };
  const allUp = Object.values(checks).every((state) => state === 'up');
  return { status: allUp ? 'ready' : 'degraded', checks };
}
