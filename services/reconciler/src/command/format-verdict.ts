import type { Difference } from '../verification/domain/difference';
import type { Repair } from '../verification/repair-service';
import type { Totals, Verdict } from '../verification/verify-services';

const repairs: Readonly<Record<Repair, string>> = {
  recomputed: 'repaired: recomputed from the facts',
  removed: 'repaired: removed, as a delete of it would have',
  deleted: 'not repaired: it was deleted here, for good; upload its SBOMs under another name',
  'rescan-requested':
    'not repaired yet: the scanner was requested to evaluate missing component sets; run this again in a minute',
  'being deleted': 'not repaired: it is being deleted',
};

/** Formats a verdict as text, one line per difference. */
export function formatVerdict({ service, differences, undecided, repair }: Verdict): string[] {
  const where = locationOf(service);
  if (undecided.length > 0) {
    const count = countOf(differences.length, 'difference');
    return [
      `${where}: undecided: ${count}, but ${undecided.join(', ')}; run this again later (first: ${formatDifference(differences[0])})`,
    ];
  }
  const lines = differences.map((one) => `${where}: ${formatDifference(one)}`);
  if (!repair) return lines;
  const ended = repair.left.length === 0 ? repairs[repair.did] : notRepaired(repair);
  return [
    ...lines,
    `${where}: ${ended}`,
    ...repair.left.map((one) => `${where}: still ${formatDifference(one)}`),
  ];
}

function notRepaired({ did, left }: NonNullable<Verdict['repair']>): string {
  if (did !== 'recomputed' && did !== 'removed') return repairs[did];
  return `not repaired: ${countOf(left.length, 'difference')} left after it was recomputed`;
}

/** Formats a verdict as JSON objects, one per difference. */
export function formatVerdictAsJson({
  service,
  differences,
  undecided,
  repair,
}: Verdict): string[] {
  const { names = null } = service ?? {};
  const of = {
    service_id: service?.service_id ?? null,
    project_id: service?.project_id ?? null,
    project_name: names?.project_name ?? null,
    service_name: names?.service_name ?? null,
  };
  const state = undecided.length > 0 ? 'undecided' : 'differs';
  const ended = repair && {
    did: repair.did,
    left: repair.left.length,
  };
  return differences.map((difference) =>
    JSON.stringify({ type: 'difference', ...of, ...difference, state, undecided, repair: ended }),
  );
}

/** Formats the totals as one line. */
export function formatTotals(totals: Totals): string {
  const { services, differing, differences, repaired, undecided } = totals;
  const checked = `${countOf(services, 'service')} checked`;
  const wrong =
    differing === 0
      ? 'nothing differs'
      : `${countOf(differences, 'difference')} in ${countOf(differing, 'service')}, ${repaired} repaired`;
  return `${checked}: ${wrong}${undecided === 0 ? '' : `, ${undecided} undecided`}.`;
}

export function formatTotalsAsJson(totals: Totals): string {
  return JSON.stringify({ type: 'summary', ...totals });
}

function formatDifference(difference: Difference | undefined): string {
  if (!difference) return 'nothing';
  const { kind, id, about, stored, expected } = difference;
  const named = id === null ? about : `${about} (${id})`;
  return `${kind}: ${named} is stored as: ${stored}; should be: ${expected}`;
}

/** `Web Shop / checkout (0197…)`. Replaces control characters, because names are free text. */
function locationOf(service: Verdict['service']): string {
  if (!service) return 'all services';
  const { service_id, project_id, names } = service;
  const location = names
    ? `${names.project_name} / ${names.service_name ?? 'the project itself'}`
    : `unknown service of project ${project_id || 'unknown'}`;
  return `${location.replace(/\p{C}/gu, '?')} (${service_id})`;
}

function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
