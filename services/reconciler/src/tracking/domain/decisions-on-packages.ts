import { anyPackage, type DecidedPackage } from './decision-types';

/**
 * Whether the packages of a decision (undefined: all) contain all these versions of a package.
 *
 * @param ids those of the decision, and all names of the vulnerability, upper case
 */
export function isAboutPackage(
  packages: readonly DecidedPackage[] | undefined,
  { package_key, package_versions }: { package_key: string; package_versions: readonly string[] },
  { identity, names }: { identity: readonly string[]; names: readonly string[] },
): boolean {
  if (!packages) return true;
  const others = names.filter((name) => !identity.includes(name));
  const isExcepted = ({ unless }: DecidedPackage): boolean =>
    unless?.some((id) => others.some((other) => isNamed(other, id))) ?? false;
  if (packages.some((one) => one.package_key === anyPackage && isExcepted(one))) return false;
  const own = packages
    .filter((one) => one.package_key === package_key || one.package_key === anyPackage)
    .filter((one) => one.versions?.length !== 0 && !isExcepted(one));
  if (own.length === 0) return false;
  return (
    own.some(({ versions }) => !versions) ||
    package_versions.every((version) => own.some(({ versions }) => versions?.includes(version)))
  );
}

/** @param by an id, or the beginning of some and `*` */
function isNamed(id: string, by: string): boolean {
  return by.endsWith('*') ? id.startsWith(by.slice(0, -1)) : id === by;
}
