/**
 * Parses the source package in SPDX's `sourceInfo`, as written by Trivy (whose purls have no
 * `upstream`): `built package from: glibc 2.31-13`. Returns the form of
 * `Dependency.source_package`; null for other texts.
 */
export function sourceOfInfo(sourceInfo: unknown): string | null {
  if (typeof sourceInfo !== 'string') return null;
  const found = /^built package from: (\S+)(?: (\S+))?$/.exec(sourceInfo.trim());
  return found === null ? null : sourceText(found[1], found[2]);
}

/**
 * Parses it from the properties `aquasecurity:trivy:Src…` of a CycloneDX component. Takes any
 * value: CycloneDX 1.2 has no properties, and unknown ones are allowed.
 */
export function sourceOfProperties(properties: unknown): string | null {
  if (!Array.isArray(properties)) return null;
  const values = new Map(properties.flatMap(nameAndValue));
  const valueOf = (name: string): string => values.get(`aquasecurity:trivy:${name}`) ?? '';
  const epoch = /^[1-9]\d*$/.test(valueOf('SrcEpoch')) ? `${valueOf('SrcEpoch')}:` : '';
  const release = valueOf('SrcRelease') === '' ? '' : `-${valueOf('SrcRelease')}`;
  const version = valueOf('SrcVersion');
  return sourceText(valueOf('SrcName'), version === '' ? '' : `${epoch}${version}${release}`);
}

function nameAndValue(property: unknown): [string, string][] {
  const { name, value } = (property ?? {}) as { name?: unknown; value?: unknown };
  return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [];
}

function sourceText(name: string | undefined, version: string | undefined): string | null {
  if (!name || name.includes('@')) return null;
  return version ? `${name}@${version}` : name;
}
