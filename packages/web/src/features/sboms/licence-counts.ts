import type { Schemas } from '../../api/client';

export type LicenceGroup = NonNullable<Schemas['DependencyResponse']['license_group']>;

/** What asks for most first; `unknown` before all: nobody has decided about it. */
export const licenceGroups: readonly LicenceGroup[] = [
  'unknown',
  'non_commercial',
  'source_available',
  'network_copyleft',
  'strong_copyleft',
  'weak_copyleft',
  'permissive',
  'public_domain',
];

export interface LicenceCount {
  /** As the document has it; null: none. */
  license: string | null;
  group: LicenceGroup;
  components: number;
  /** The first by name. */
  example: string;
}

/** The licences of an SBOM by group, then the most frequent first. A component without a licence is `unknown`. */
export function licenceCounts(
  dependencies: readonly Pick<
    Schemas['DependencyResponse'],
    'name' | 'version' | 'license' | 'license_group'
  >[],
): LicenceCount[] {
  const counts = new Map<string | null, LicenceCount>();
  for (const { name, version, license, license_group: group = 'unknown' } of dependencies) {
    const count = counts.get(license);
    if (count) count.components += 1;
    else counts.set(license, { license, group, components: 1, example: `${name} ${version}` });
  }
  return [...counts.values()].sort(
    (one, other) =>
      licenceGroups.indexOf(one.group) - licenceGroups.indexOf(other.group) ||
      other.components - one.components ||
      ((one.license ?? '') < (other.license ?? '') ? -1 : 1),
  );
}
