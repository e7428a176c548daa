import { identifierOf, limitedTo } from '../identifiers';
import { hasSharedData, readShared } from '../testing/shared-data';
import { productsToMatch, type VexProduct } from '../vex-document';
import { matchStatements, type StatementMatch } from './match-statements';

const serial = '3e671687-395b-41f5-a30f-a58921a69b79';

/** An SBOM of `app`, which uses `web` and `log`; `web` uses `http` and `url`; `log` uses `url`; `zip` is listed only. */
const sbom = cycloneDx({
  app: ['web', 'log'],
  web: ['http', 'url'],
  log: ['url'],
  http: [],
  url: [],
  zip: [],
});

function cycloneDx(dependencies: Record<string, string[]>): Buffer {
  const component = (name: string): object => ({
    type: 'library',
    name,
    version: '1.0.0',
    'bom-ref': name,
    purl: `pkg:npm/${name}@1.0.0${name === 'zip' ? '?arch=x86' : ''}`,
  });
  const [root = '', ...others] = Object.keys(dependencies);
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:${serial.toUpperCase()}`,
      version: 3,
      metadata: { component: component(root) },
      components: others.map(component),
      dependencies: Object.entries(dependencies).map(([ref, dependsOn]) => ({ ref, dependsOn })),
    }),
  );
}

function product(text: string, ...parts: string[]): VexProduct {
  return {
    identifiers: [identifierOf(text)],
    subcomponents: parts.map((part) => [identifierOf(part)]),
  };
}

/** `everything`, the names covered, or the reason. */
function said(match: StatementMatch | undefined): string {
  if (!match) return 'no match';
  if (!match.fits) return match.reason;
  if (match.covers === 'everything') return 'everything';
  return match.covers
    .map(({ identity }) => identity.replace('pkg:npm/', ''))
    .sort()
    .join(' ');
}

const matched = (bytes: Buffer, one: VexProduct): string =>
  said(matchStatements(bytes, [[one]])[0]);

describe('VX1 a statement applies where its product is', () => {
  test.each([
    ['pkg:npm/app@1.0.0', [], 'everything'],
    ['pkg:npm/app', [], 'everything'],
    ['pkg:npm/app@2.0.0', [], 'product_version_differs'],
    ['pkg:npm/app?arch=arm', [], 'product_version_differs'],
    ['pkg:npm/app#sub', [], 'product_version_differs'],
    ['pkg:npm/other', [], 'product_not_found'],
    ['cpe:2.3:a:b:c', [], 'identifier_not_supported'],
    ['app', [], 'identifier_not_supported'],
    ['pkg:npm/app', ['pkg:npm/url'], 'url'],
    ['pkg:npm/app', ['pkg:npm/url@1.0.0', 'pkg:npm/zip?arch=x86'], 'url zip'],
    ['pkg:npm/app', ['pkg:npm/url@2.0.0'], 'subcomponent_version_differs'],
    ['pkg:npm/app', ['pkg:npm/none'], 'subcomponent_not_found'],
    ['pkg:npm/other', ['pkg:npm/url'], 'product_not_found'],
  ])('the root: %s with %j covers %s', (text, parts, expected) => {
    expect(matched(sbom, product(text, ...parts))).toBe(expected);
  });

  test.each([
    ['pkg:npm/web', [], 'http web'],
    ['pkg:npm/web', ['pkg:npm/http'], 'http'],
    ['pkg:npm/web', ['pkg:npm/url'], 'used_outside_product'],
    ['pkg:npm/web', ['pkg:npm/log'], 'subcomponent_not_in_product'],
    ['pkg:npm/web', ['pkg:npm/zip'], 'subcomponent_not_in_product'],
    ['pkg:npm/zip', [], 'zip'],
    ['pkg:npm/zip?arch=arm', [], 'product_version_differs'],
  ])('a component: %s with %j covers %s', (text, parts, expected) => {
    expect(matched(sbom, product(text, ...parts))).toBe(expected);
  });

  test.each([
    ['pkg:npm/web', [], 'http url web'],
    ['pkg:npm/web', ['pkg:npm/url'], 'url'],
    ['pkg:npm/web', ['pkg:npm/log'], 'subcomponent_not_in_product'],
    ['pkg:npm/web', ['pkg:npm/url@2.0.0'], 'subcomponent_version_differs'],
  ])('VX7 “affected” about a component: %s with %j covers %s', (text, parts, expected) => {
    const products = [product(text, ...parts)];
    const [match] = matchStatements(sbom, [productsToMatch({ status: 'affected', products })]);
    expect(said(match)).toBe(expected);
  });

  test.each([
    [`urn:uuid:${serial}`, 'everything'],
    [`urn:cdx:${serial}/3`, 'everything'],
    [`urn:cdx:${serial}/2`, 'product_version_differs'],
    [`urn:cdx:${serial}/3#app`, 'everything'],
    [`urn:cdx:${serial}/3#web`, 'http web'],
    [`urn:cdx:${serial}/3#none`, 'product_not_found'],
    [`urn:cdx:00000000-395b-41f5-a30f-a58921a69b79/3`, 'product_not_found'],
  ])('a BOM-Link or serial number: %s covers %s', (text, expected) => {
    expect(matched(sbom, product(text))).toBe(expected);
  });

  test.each([
    [['0.9', '1.0.0'], 'everything', 'http'],
    [['0.9'], 'product_version_differs', 'subcomponent_version_differs'],
    [[], 'product_version_differs', 'subcomponent_version_differs'],
  ])('the versions %j limit a product and its part', (versions, whole, part) => {
    for (const app of ['pkg:npm/app', `urn:cdx:${serial}/3`]) {
      const limited = limitedTo([identifierOf(app)], versions);
      expect(matched(sbom, { identifiers: limited, subcomponents: [] })).toBe(whole);
    }
    for (const http of ['pkg:npm/http', `urn:cdx:${serial}/3#http`]) {
      const subcomponents = [limitedTo([identifierOf(http)], versions)];
      expect(matched(sbom, { ...product('pkg:npm/app'), subcomponents })).toBe(part);
      expect(matched(sbom, { ...product('pkg:npm/web'), subcomponents })).toBe(part);
    }
  });

  test('of several products one that fits is enough, else the nearest reason is given', () => {
    const far = product('pkg:npm/other');
    const near = product('pkg:npm/app@9');
    expect(
      matchStatements(sbom, [[far, product('pkg:npm/http')], [near, far], []]).map(said),
    ).toEqual(['http', 'product_version_differs', 'no_product_named']);
  });
});

test('VX6 a cycle, and a part that something without a path from the root uses too', () => {
  const cyclic = cycloneDx({ app: ['a'], a: ['b'], b: ['a', 'c'], c: [], loose: ['c'] });
  expect(matched(cyclic, product('pkg:npm/a'))).toBe('a b');
  expect(matched(cyclic, product('pkg:npm/a', 'pkg:npm/c'))).toBe('used_outside_product');
});

test('VX7 a package version that is there twice is covered only if both are inside', () => {
  const twice = JSON.parse(sbom.toString()) as { components: object[] };
  twice.components.push({
    type: 'library',
    name: 'http',
    version: '1.0.0',
    'bom-ref': 'http2',
    purl: 'pkg:npm/http@1.0.0',
  });
  const bytes = Buffer.from(JSON.stringify(twice));
  expect(matched(bytes, product('pkg:npm/web', 'pkg:npm/http'))).toBe('used_outside_product');
  expect(matched(bytes, product('pkg:npm/app', 'pkg:npm/http'))).toBe('http');
});

test('a document of 20,000 components is matched with 2,000 statements', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `p${n}`);
  const dependencies = Object.fromEntries(
    names.map((name, n) => [
      name,
      [2 * n + 1, 2 * n + 2].filter((to) => to < names.length).map((to) => `p${to}`),
    ]),
  );
  const bytes = cycloneDx(dependencies);
  const statements = Array.from({ length: 2_000 }, (_, n) => [
    product('pkg:npm/p0', `pkg:npm/p${n + 5}`),
    product(`pkg:npm/p${n % 40}`, `pkg:npm/p${n + 5}`),
  ]);
  expect(matchStatements(bytes, statements).every(({ fits }) => fits)).toBe(true);
});

(hasSharedData ? describe : describe.skip)('statements about findings of real SBOMs', () => {
  const rows = hasSharedData
    ? readShared('vex/openvex/hits.tsv')
        .toString()
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split('\t'))
    : [];

  /** By SBOM and statement: what the strict reading says. */
  function verdicts(parts: (row: string[]) => VexProduct): Map<string, number> {
    const bySbom = new Map<string, string[][]>();
    for (const row of rows)
      for (const name of (row[8] ?? '').split(','))
        bySbom.set(name, [...(bySbom.get(name) ?? []), row]);
    const counts = new Map<string, number>();
    for (const [name, ofSbom] of bySbom) {
      const bytes = readShared(`sboms/${name}.json`);
      for (const match of matchStatements(
        bytes,
        ofSbom.map((row) => [parts(row)]),
      ))
        counts.set(said(match), (counts.get(said(match)) ?? 0) + 1);
    }
    return counts;
  }

  test('none applies by its subcomponent alone: the product is elsewhere, or does not contain it', () => {
    expect(rows).toHaveLength(40);
    const strict = verdicts(([, named = '', , purl = '']) => product(named, purl));
    expect(Object.fromEntries(strict)).toEqual({
      product_not_found: 57,
      product_version_differs: 1,
      subcomponent_not_in_product: 1,
    });
  });

  test('each of their subcomponents is in the SBOM, so a reader of it alone would suppress all', () => {
    const alone = verdicts(([, , , purl = '']) => product(purl));
    const notApplied = [...alone.keys()].filter((one) => /^[a-z_]+$/.test(one));
    expect(notApplied).toEqual([]);
  });
});
