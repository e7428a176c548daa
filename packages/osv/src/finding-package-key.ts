import { fullName, parsePurl } from '@bomtrail/purl';
import { isDistribution } from './ecosystems';
import { locate, type LocatedComponent } from './locate';
import { packageKey } from './package-key';

/**
 * Package key of a component's findings. Distribution packages use their own name, so two binary
 * packages of one source are two findings; all others use the name in the advisories (of a Go
 * package that of its module, M46).
 *
 * @param version the first of the package versions that the component is matched as
 */
export function findingPackageKey(
  component: { package_name: string },
  version: { ecosystem: string; name: string },
): string {
  const { ecosystem, name } = version;
  return packageKey(ecosystem, isDistribution(ecosystem) ? component.package_name : name);
}

/** The same by the component alone. Null: it has no findings. */
export function findingPackageKeyOf(component: LocatedComponent): string | null {
  const located = locate(component);
  const purl = component.purl === null ? null : parsePurl(component.purl);
  if (located.kind === 'undetermined' || purl === null) return null;
  const [first] = located.packages;
  return first ? findingPackageKey({ package_name: fullName(purl) }, first) : null;
}
