import type { DtPolicy } from './model';

/** Flags of the gate that do what a policy does, or why there are none. */
export interface MappedPolicy {
  policy: string;
  /** Null: it does not map. */
  setting: string | null;
  note: string;
}

const SEVERITIES = new Set(['critical', 'high', 'medium', 'low']);

/** Maps policies to settings of `.bomtrail.yaml` as far as they mean the same (docs/rules.md IM6). */
export function mapPolicies(policies: readonly DtPolicy[]): MappedPolicy[] {
  return policies.flatMap(mapPolicy);
}

function mapPolicy(given: DtPolicy): MappedPolicy[] {
  const { name: policy, operator, violationState, policyConditions = [] } = given;
  const unmapped = (note: string): MappedPolicy => ({ policy, setting: null, note });
  if (violationState !== 'FAIL')
    return [unmapped(`It only informs (${violationState ?? 'no state'}); a gate fails or passes.`)];
  if (policyConditions.length === 0) return [unmapped('It has no condition.')];
  if (operator !== 'ANY' && policyConditions.length > 1)
    return [unmapped('All of several conditions must hold; a gate has no such rule.')];
  return policyConditions.map(({ subject, operator: compare, value }) => {
    const severity = value.toLowerCase();
    if (subject === 'SEVERITY' && compare === 'IS' && SEVERITIES.has(severity)) {
      const note = severity === 'critical' ? '' : 'Also fails above this severity.';
      return { policy, setting: `fail_on: ${severity}`, note };
    }
    if (subject === 'EPSS' && compare === 'NUMERIC_GREATER_THAN' && isShare(value))
      return { policy, setting: `max_epss: ${Number(value)}`, note: '' };
    if (subject === 'LICENSE' || subject === 'LICENSE_GROUP')
      return unmapped(
        `${subject} ${compare} ${value}: write it into the license_policy of the project and set fail_on_license; the groups are not the same.`,
      );
    return unmapped(`There is no rule for ${subject} ${compare} ${value}.`);
  });
}

function isShare(value: string): boolean {
  return value.trim() !== '' && Number(value) >= 0 && Number(value) <= 1;
}
