import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isJsonObject, type JsonObject } from './json';
import { createSbomReader } from './read-sbom';

/** Real documents beside the checkout; they are no part of the product. */
const FOLDER = join(__dirname, '../../../../shared/data/sboms');
const LIMITS = { maxComponents: 500_000 };

interface IndexEntry {
  name: string;
  /** `cdx1.4`, `SPDX-2.3`, `SPDX3`. */
  fmt: string;
  /** Components or packages listed, nested ones included, parts of the root not. */
  n: number;
}

/** Document → why it is refused; the README says why each is right to be refused. */
const VEX =
  'This is a VEX document: it has vulnerabilities but no components. POST /api/v1/vex imports it; upload the SBOM that it is about here.';
const REFUSED: Record<string, string> = {
  '009-cdx-VEX-Case-1-vex-affected.cdx.json': VEX,
  '010-cdx-VEX-Case-1-vex-fixed.cdx.json': VEX,
  '011-cdx-VEX-Case-1-vex-not_affected.cdx.json': VEX,
  '022-wild-cdx-cyclonedx-obsidian-sailboat-sbom-cdx.cdx.json':
    'The document is not valid CycloneDX 1.2: components[0].licenses[0].license lacks "id"; components[1].licenses[0].license lacks "id"; components[3].licenses[0].license lacks "id".',
};

if (!existsSync(FOLDER)) {
  test.skip('real documents: skipped, there is no folder ../shared/data/sboms', () => undefined);
} else {
  describe('real documents', () => {
    const reader = createSbomReader();
    const index = JSON.parse(readFileSync(join(FOLDER, 'INDEX.json'), 'utf8')) as IndexEntry[];
    const spdx3 = index.filter(({ fmt }) => fmt === 'SPDX3');
    const known = index.filter(({ fmt }) => fmt !== 'SPDX3');

    test('are 80 of accepted versions, of which exactly the known ones are refused', () => {
      const refused: Record<string, string> = {};
      for (const { name } of known) {
        const result = reader.read(readFileSync(join(FOLDER, name)), LIMITS);
        if (!result.ok) refused[name] = result.detail;
      }
      expect(known).toHaveLength(80);
      expect(refused).toEqual(REFUSED);
    });

    test.each(spdx3.map(({ name }) => name))('%s is accepted as SPDX 3', (name) => {
      const result = reader.read(readFileSync(join(FOLDER, name)), LIMITS);
      expect(result).toMatchObject({ ok: true, sbom: { format: 'spdx', specVersion: '3.0.1' } });
    });

    test.each(known.filter(({ name }) => !(name in REFUSED)))(
      '$name has as many dependencies as counted by other means',
      ({ name, fmt, n }) => {
        const bytes = readFileSync(join(FOLDER, name));
        const result = reader.read(bytes, LIMITS);
        if (!result.ok) throw new Error(result.detail);
        const document = JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as JsonObject;
        const { listed, parts } = count(document);
        expect(listed.length).toBe(n);
        expect(result.sbom.specVersion).toBe(fmt.replace(/^(cdx|SPDX-)/, ''));
        const isRootListed = fmt.startsWith('SPDX') && n > 1 && describedPackages(document) === 1;
        expect(result.sbom.dependencies.length).toBe(
          new Set([...listed, ...parts]).size - (isRootListed ? 1 : 0),
        );
      },
    );
  });
}

/** Every purl, name and version that a document lists, found by a plain recursion. */
function count(document: JsonObject): { listed: string[]; parts: string[] } {
  const metadata = document.metadata as { component?: JsonObject } | undefined;
  return {
    listed: keysBelow(document.components ?? document.packages),
    parts: keysBelow(metadata?.component?.components),
  };
}

function keysBelow(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap((entry) => {
    const refs = (entry.externalRefs ?? []) as JsonObject[];
    const purl = entry.purl ?? refs.find((ref) => ref.referenceType === 'purl')?.referenceLocator;
    const name = purl === undefined ? [entry.group, entry.name] : '';
    const key = JSON.stringify([purl, name, entry.version ?? entry.versionInfo]);
    return [key, ...keysBelow(entry.components)];
  });
}

function describedPackages(document: JsonObject): number {
  const relationships = (document.relationships ?? []) as JsonObject[];
  const described = relationships
    .filter((one) => String(one.relationshipType).startsWith('DESCRIBE'))
    .map((one) => one.relatedSpdxElement);
  const ids = new Set([...described, ...((document.documentDescribes ?? []) as string[])]);
  return (document.packages as JsonObject[]).filter((entry) => ids.has(entry.SPDXID)).length;
}
