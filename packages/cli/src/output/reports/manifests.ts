interface Component {
  purl?: unknown;
  evidence?: { occurrences?: { location?: unknown }[] };
  properties?: { name?: unknown; value?: unknown }[];
  components?: Component[];
}

interface SpdxPackage {
  sourceInfo?: unknown;
  externalRefs?: { referenceType?: unknown; referenceLocator?: unknown }[];
}

/** Properties of CycloneDX components with the path of a manifest: of syft, cdxgen and trivy. */
const properties = ['syft:location:0:path', 'SrcFile', 'aquasecurity:trivy:FilePath'];
const maxPath = 1_000;

/**
 * The files that a document names as the origin of components: in CycloneDX `evidence.occurrences`, or a property that
 * a generator writes; in SPDX the path at the end of syft's `sourceInfo`.
 *
 * @param wanted purls to look for, as in the document
 * @returns paths by purl, untrusted; empty for a document that is not JSON
 */
export function manifestsIn(text: string, wanted: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  if (wanted.size === 0) return found;
  const document = parse(text);
  const note = (purl: unknown, file: unknown): void => {
    if (typeof purl !== 'string' || !wanted.has(purl) || found.has(purl)) return;
    if (typeof file === 'string' && file !== '' && file.length <= maxPath) found.set(purl, file);
  };
  const pending: Component[][] = [arrayOf<Component>(document['components'])];
  for (let list = pending.pop(); list; list = pending.pop()) {
    for (const component of list) {
      note(component.purl, fileOf(component));
      if (component.components) pending.push(arrayOf<Component>(component.components));
    }
  }
  for (const { externalRefs, sourceInfo } of arrayOf<SpdxPackage>(document['packages'])) {
    const purl = arrayOf<{ referenceType?: unknown; referenceLocator?: unknown }>(
      externalRefs,
    ).find(({ referenceType }) => referenceType === 'purl');
    note(purl?.referenceLocator, /: (\/\S+)$/.exec(String(sourceInfo ?? ''))?.[1]);
  }
  return found;
}

function fileOf(component: Component): unknown {
  const [occurrence] = arrayOf<{ location?: unknown }>(component.evidence?.occurrences);
  if (typeof occurrence?.location === 'string') return occurrence.location;
  const written = arrayOf<{ name?: unknown; value?: unknown }>(component.properties);
  return properties
    .map((name) => written.find((property) => property.name === name)?.value)
    .find((value) => typeof value === 'string');
}

function arrayOf<Item extends object>(value: unknown): Item[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Item => typeof one === 'object' && one !== null);
}

function parse(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
