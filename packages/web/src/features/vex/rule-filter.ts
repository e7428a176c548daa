import type { Schemas } from '../../api/client';
import { chosenSeverities, filtersOf, type FindingsSearch } from '../findings/findings-search';

export type RuleFilter = Schemas['DecisionRuleFilter'];
type Name = keyof FindingsSearch;

/** What of a view is no part of a rule and does not matter to it. */
const ofTheView: readonly Name[] = ['status', 'sort', 'order', 'group', 'finding', 'project_id'];

/** Filters that follow from feeds, times or other decisions: a rule cannot have them (DC8). */
const impossible = ['q', 'kev', 'min_epss', 'overdue', 'detected_since', 'has_owner'] as const;

/** The filter of a view as that of a rule, and the filters that a rule cannot have. */
export function ruleFilterOf(search: FindingsSearch): {
  filter: RuleFilter;
  left: (typeof impossible)[number][];
} {
  const { service_id, label, package_name, purl, cve_id, ecosystem, has_fix, is_direct, owner } =
    filtersOf(search);
  const severity = chosenSeverities(search);
  const filter = {
    service_ids: service_id === undefined ? undefined : [service_id],
    severity: severity.length > 0 ? severity : undefined,
    cve_id,
    package_name,
    purl,
    ecosystem,
    has_fix,
    is_direct,
    owner,
    label: label?.split(',').map((one) => one.trim()),
  };
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return {
    filter: Object.fromEntries(given) as RuleFilter,
    left: impossible.filter((name) => search[name] !== undefined),
  };
}

/** The findings that a rule would decide now: what its filter selects and nothing has decided. */
export function previewOf(search: FindingsSearch): FindingsSearch {
  const { status: _status, ...rest } = search;
  const shown = Object.entries(rest).filter(
    ([name]) =>
      name === 'project_id' || ![...ofTheView, ...impossible].some((other) => other === name),
  );
  return { ...(Object.fromEntries(shown) as FindingsSearch), decision: 'none' };
}
