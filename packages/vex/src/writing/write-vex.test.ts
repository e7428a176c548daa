import { matchStatements } from '../matching/match-statements';
import { readVex } from '../read-vex';
import { JUSTIFICATIONS } from '../mapping';
import { VEX_FORMATS, type VexFormat } from '../vex-document';
import type { ExportDocument, ExportStatement } from './export-document';
import { writeVex } from './write-vex';

const at = '2026-01-02T03:04:05.000Z';
const serial = '3e671687-395b-41f5-a30f-a58921a69b79';
const products = [
  { id: 'sbom-1', name: 'shop', version: '1', purl: 'pkg:npm/app@1.0.0', bom: null },
  { id: 'sbom-2', name: 'api', version: null, purl: null, bom: { serial, version: 3 } },
];
const decisions = ['not_affected', 'false_positive', 'in_triage', 'risk_accepted'] as const;

const statements = products.flatMap((product, n) =>
  decisions.flatMap((decision, index): ExportStatement[] =>
    [null, ...(decision === 'not_affected' ? JUSTIFICATIONS : [])].map((justification, which) => ({
      id: `0197c1d0-3c2b-7a19-8e7f-${String(100_000_000_000 + n * 100 + index * 10 + which)}`,
      vulnerability: [`CVE-2026-${1000 + index * 10 + which}`, `GHSA-x-${index}-${which}`],
      decision,
      justification,
      detail: `Because of ${decision}.`,
      issued_at: at,
      updated_at: at,
      product,
      components: ['pkg:npm/lodash@1.0.0', 'pkg:npm/axios@0.1.0'],
    })),
  ),
);

const exported = (some: ExportStatement[]): ExportDocument => ({
  id: '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f',
  title: 'Shop',
  author: 'Example',
  namespace: 'urn:uuid:0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f',
  issued_at: at,
  updated_at: at,
  statements: some,
});

function sbomOf(root: string, serialNumber?: string): Buffer {
  const component = (text: string): object => ({
    type: 'library',
    name: text,
    version: text.split('@')[1],
    'bom-ref': text,
    purl: `pkg:npm/${text}`,
  });
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 3,
      ...(serialNumber && { serialNumber: `urn:uuid:${serialNumber}` }),
      metadata: { component: component(root) },
      components: ['lodash@1.0.0', 'axios@0.1.0', 'left@1.0.0'].map(component),
    }),
  );
}

function readBack(format: VexFormat, text: string) {
  const result = readVex(Buffer.from(text), { statements: 1_000 });
  expect(result.ok ? 'it is read' : `${format}: ${result.detail}`).toBe('it is read');
  return result.ok ? result.document.statements : [];
}

describe.each(VEX_FORMATS)('%s', (format) => {
  test('is valid, and says the same about the same components when it is read', () => {
    const read = readBack(format, writeVex(format, exported(statements)));
    const seen = { whole: sbomOf('app@1.0.0'), byLink: sbomOf('other@1', serial) };
    for (const bytes of Object.values(seen)) {
      const matches = matchStatements(
        bytes,
        read.map(({ products: named }) => named),
      );
      const covered = read.filter((_one, index) => matches[index]?.fits);
      const ids = new Set(covered.flatMap(({ vulnerability }) => vulnerability[0] ?? []));
      expect(ids.size).toBe(new Set(statements.map(({ vulnerability }) => vulnerability[0])).size);
      for (const match of matches)
        if (match.fits)
          expect(match.covers).toEqual(
            expect.not.arrayContaining([expect.objectContaining({ identity: 'pkg:npm/left' })]),
          );
    }
    expect(
      matchStatements(
        sbomOf('else@1'),
        read.map((one) => one.products),
      ).some((one) => one.fits),
    ).toBe(false);
    const expected = { openvex: 'not_affected', cyclonedx: 'false_positive', csaf: 'not_affected' };
    const statusOf = (index: number): unknown =>
      read.find(({ vulnerability }) => vulnerability[0] === `CVE-2026-${1000 + index * 10}`)
        ?.status;
    expect(decisions.map((_one, index) => statusOf(index))).toEqual([
      'not_affected',
      expected[format],
      'under_investigation',
      'affected',
    ]);
  });

  test('a product whose package URL has no version is read again as that, whatever its name', () => {
    const shop = { id: 'sbom-3', name: 'shop', version: 'build 7', purl: 'pkg:npm/app', bom: null };
    const some = statements.slice(0, 1).map((one) => ({ ...one, product: shop }));
    const read = readBack(format, writeVex(format, exported(some)));
    const products = read.map((one) => one.products);
    expect(matchStatements(sbomOf('app@1.0.0'), products).map(({ fits }) => fits)).toEqual([true]);
  });

  test('is the same text for the same content in whatever order', () => {
    expect(writeVex(format, exported([...statements].reverse()))).toBe(
      writeVex(format, exported(statements)),
    );
  });

  test('without a decision is valid where the format allows it', () => {
    const result = readVex(Buffer.from(writeVex(format, exported([]))), { statements: 1 });
    expect(result.ok).toBe(format !== 'openvex');
  });
});
