import type { Schemas } from '../../api/client';

type Line = Pick<
  Schemas['Remediation'],
  'package_name' | 'purls' | 'upgrades' | 'closes' | 'major_step'
>;
type Failing = Pick<Schemas['FailingVulnerability'], 'cve_id' | 'package_name' | 'purl'>;

/** Why an upgrade of the plan does not close a finding; `none`: its package is not in the plan. */
export type Obstacle = NonNullable<Schemas['PackageUpgrade']['reason']> | 'higher_step' | 'none';

export interface WayToPass<L, F> {
  /** What must be done until the gate passes, in the order of the plan, and which findings each closes. */
  needed: { line: L; closes: F[] }[];
  /** What keeps the gate failing after all of them. */
  stuck: { finding: F; why: Obstacle }[];
}

/** Which lines of the upgrade plan of a service close what fails its gate, and what none of them closes. */
export function wayToPass<L extends Line, F extends Failing>(
  failing: readonly F[],
  plan: readonly L[],
): WayToPass<L, F> {
  const closedBy = new Map<L, F[]>();
  const stuck: WayToPass<L, F>['stuck'] = [];
  for (const finding of failing) {
    const lines = plan.filter((line) => isOf(line, finding));
    const line = lines.find(({ closes }) => closes.ids.includes(finding.cve_id));
    if (line) closedBy.set(line, [...(closedBy.get(line) ?? []), finding]);
    else stuck.push({ finding, why: obstacleOf(lines, finding) });
  }
  const needed = plan.flatMap((line) => {
    const closes = closedBy.get(line);
    return closes ? [{ line, closes }] : [];
  });
  return { needed, stuck };
}

/** A name can be that of packages of several ecosystems. */
function isOf({ package_name, purls }: Line, finding: Failing): boolean {
  if (package_name !== finding.package_name) return false;
  const { purl } = finding;
  if (purl === null || purls.length === 0) return true;
  const type = (one: string) => one.slice(0, one.indexOf('/'));
  return purls.some((one) => type(one) === type(purl));
}

function obstacleOf(lines: readonly Line[], { cve_id }: Failing): Obstacle {
  if (lines.length === 0) return 'none';
  if (lines.some(({ major_step }) => major_step?.closes.ids.includes(cve_id))) return 'higher_step';
  const reasons = lines.flatMap(({ upgrades }) => upgrades.map(({ reason }) => reason));
  return reasons.find((reason) => reason !== null) ?? 'none';
}
