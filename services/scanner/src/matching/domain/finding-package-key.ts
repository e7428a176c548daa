import { isDistribution, packageKey } from '@bomtrail/osv';
import type { MatchedComponent } from './component';

/**
 * Package key of a component's findings. Distribution packages use their own name, so two binary
 * packages of one source are two findings; all others use the name in the advisories.
 */
export function findingPackageKey(
  component: Pick<MatchedComponent, 'package_name'>,
  { ecosystem, name }: { ecosystem: string; name: string },
): string {
  return packageKey(ecosystem, isDistribution(ecosystem) ? component.package_name : name);
}
