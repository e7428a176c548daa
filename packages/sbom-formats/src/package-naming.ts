import { fullName, parsePurl } from '@bomtrail/purl';

/** Identity of a package as written in either format. */
export interface WrittenPackage {
  group?: string | undefined;
  name: string;
  version?: string | undefined;
  purl?: string | undefined;
}

export interface NamedPackage {
  name: string;
  version: string;
  purl: string | null;
}

/**
 * docs/validation.md P2, P4: the name is the full name from the purl; without a readable purl
 * `group/name`, or `name`. The version is the component's, else the purl's, else empty. The purl is
 * unchanged, even if unreadable.
 */
export function namePackage({ group, name, version, purl }: WrittenPackage): NamedPackage {
  const purlText = purl === undefined || purl.trim() === '' ? null : purl;
  const parsed = purlText === null ? null : parsePurl(purlText);
  const ownName = group === undefined || group === '' ? name : `${group}/${name}`;
  return {
    name: parsed === null ? ownName : fullName(parsed),
    version: version || parsed?.version || '',
    purl: purlText,
  };
}

/** docs/validation.md P2, P4: entries with equal purl, name and version are the same. */
export function isSamePackage(one: NamedPackage, other: NamedPackage): boolean {
  return one.name === other.name && one.version === other.version && one.purl === other.purl;
}
