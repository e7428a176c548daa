import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';
import type { RuleStore } from './ports';

/** Follows the catalog in one project, and applies what moved. */
export async function followOwners(
  deps: ApplyAcceptanceDeps & { rules: RuleStore },
  projectId: string,
): Promise<void> {
  if (!(await deps.ownedRules.follow(projectId))) return;
  for (const rule of await deps.rules.ownedIn(projectId))
    if (rule.pending === 'apply') await applyAcceptance(deps, rule);
}
