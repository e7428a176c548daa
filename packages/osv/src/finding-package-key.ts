import { fullName, parsePurl } from '@bomtrail/purl';
import { isDistribution } from './ecosystems';
import { locate, type LocatedComponent } from './locate';
import { packageKey } from './package-key';

/**
 * Package key of a component's findings. Distribution packages use their own name, so two binary
 * packages of one source are two findings; all others use the name in the advisories (of a Go
 * package that of its module, M46). Null: it has no findings.
 */
export function findingPackageKey(component: LocatedComponent): string | null {
  const located = locate(component);
  const purl = component.purl === null ? null : parsePurl(component.purl);
  if (located.kind === 'undetermined' || purl === null) return null;
  const [first] = located.packages;
  if (!first) return null;
  return packageKey(first.ecosystem, isDistribution(first.ecosystem) ? fullName(purl) : first.name);
}
