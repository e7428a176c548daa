import { matchStatements } from '../matching/match-statements';
import { readVex } from '../read-vex';
import { exampleSbom, exampleSerial, inWords } from '../testing/example-sbom';

interface Case {
  /** The component in question, of the name `lib`. */
  lib?: object;
  app?: object;
  state?: string;
  versions?: object[];
  ref?: string;
}

/** What a document of `app` and `lib` covers in the example. */
function said({ lib, app, state = 'not_affected', versions, ref = 'lib' }: Case): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.7',
    version: 1,
    metadata: { component: { type: 'application', name: 'app', 'bom-ref': 'app', ...app } },
    components: [{ type: 'library', name: 'lib', 'bom-ref': 'lib', ...lib }],
    vulnerabilities: [
      {
        id: 'CVE-2026-1234',
        analysis: { state },
        affects: [{ ref, ...(versions && { versions }) }],
      },
    ],
  };
  const result = readVex(Buffer.from(JSON.stringify(document)), { statements: 10 });
  if (!result.ok) throw new Error(result.detail);
  const [match] = matchStatements(
    exampleSbom(),
    result.document.statements.map((one) => one.products),
  );
  return inWords(match);
}

const purl = 'pkg:npm/lib';
const root = { purl: 'pkg:npm/app@1.0.0' };
const both = 'lib@1.0.0 lib@2.5.0';
const differs = 'subcomponent_version_differs';
const range = { range: 'vers:npm/<2.0.0' };

describe('VX4 the versions of a part', () => {
  test.each<[string, Case, string]>([
    ['no version anywhere', { lib: { purl } }, both],
    ['that of the component', { lib: { purl, version: '1.0.0' } }, 'lib@1.0.0'],
    ['another one', { lib: { purl, version: '3.0.0' } }, differs],
    ['a range', { lib: { purl, isExternal: true, versionRange: 'vers:npm/<2.0.0' } }, differs],
    ['that of the purl', { lib: { purl: `${purl}@2.5.0`, version: '2.5' } }, 'lib@2.5.0'],
    ['listed ones', { lib: { purl }, versions: [{ version: '1.0.0' }, range] }, 'lib@1.0.0'],
    ['a listed range', { lib: { purl }, versions: [range] }, differs],
    [
      'its own, and ranges of the package (the example of the format)',
      { lib: { purl, version: '2.5.0' }, versions: [{ ...range, status: 'affected' }] },
      'lib@2.5.0',
    ],
    [
      'its own, and others listed',
      { lib: { purl, version: '2.5.0' }, versions: [{ version: '1.0.0' }, range] },
      differs,
    ],
    [
      'its own, listed as affected upstream',
      { lib: { purl, version: '1.0.0' }, versions: [{ version: '1.0.0', status: 'affected' }] },
      'lib@1.0.0',
    ],
    [
      'a range, and listed ones',
      {
        lib: { purl, isExternal: true, versionRange: 'vers:npm/<2.0.0' },
        versions: [{ version: '1.0.0' }],
      },
      differs,
    ],
  ])('%s', (_title, one, expected) => {
    expect(said({ app: root, ...one })).toBe(expected);
  });
});

describe('VX4 the versions of the root', () => {
  const other = 'product_version_differs';
  test.each<[string, Case, string]>([
    ['that of the component', { app: { purl: 'pkg:npm/app', version: '1.0.0' } }, 'everything'],
    ['another one', { app: { purl: 'pkg:npm/app', version: '2.0.0' } }, other],
    [
      'another one, of the whole of a part',
      { app: { purl: 'pkg:npm/app', version: '2' }, ref: 'lib' },
      other,
    ],
    [
      'listed ones',
      { app: { purl: 'pkg:npm/app' }, versions: [{ version: '1.0.0' }] },
      'everything',
    ],
    [
      'its own, and others listed',
      { app: { purl: 'pkg:npm/app', version: '1.0.0' }, versions: [{ version: '2.0.0' }] },
      other,
    ],
    ['others listed', { app: { purl: 'pkg:npm/app' }, versions: [{ version: '2.0.0' }] }, other],
  ])('%s', (_title, one, expected) => {
    expect(said({ ref: 'app', lib: { purl }, ...one })).toBe(expected);
  });
});

/** What `resolved` covers of `lib` with what is listed, by whether and where its version is stated. */
describe('what is resolved is not resolved in versions listed as affected or unknown', () => {
  const listed = (...some: [version: string, status?: string][]): object[] =>
    some.map(([text, status]) => ({
      ...(text.startsWith('vers:') ? { range: text } : { version: text }),
      ...(status && { status }),
    }));
  const all = 'vers:npm/*';
  test.each<[object[], string, string]>([
    [listed(['1.0.0']), 'lib@1.0.0', 'lib@1.0.0'],
    [listed(['1.0.0', 'unaffected']), 'lib@1.0.0', 'lib@1.0.0'],
    [listed(['1.0.0', 'affected']), differs, differs],
    [listed(['1.0.0', 'unknown']), differs, differs],
    [listed(['1.0.0', 'unaffected'], ['1.0.0', 'affected']), differs, differs],
    [listed(['1.0.0', 'affected'], ['2.5.0', 'unaffected']), 'lib@2.5.0', differs],
    [listed(['2.5.0', 'affected']), differs, 'lib@1.0.0'],
    [listed([all, 'affected']), differs, differs],
    [listed([all, 'unknown'], ['1.0.0', 'unaffected']), 'lib@1.0.0', 'lib@1.0.0'],
    [listed([all, 'unaffected']), differs, 'lib@1.0.0'],
  ])('%j covers %s, of a component with the version 1.0.0 %s', (versions, unstated, stated) => {
    for (const state of ['resolved', 'resolved_with_pedigree']) {
      const base = { app: root, state, versions };
      expect(said({ ...base, lib: { purl } })).toBe(unstated);
      expect(said({ ...base, lib: { purl, version: '1.0.0' } })).toBe(stated);
      expect(said({ ...base, lib: { purl: `${purl}@1.0.0` } })).toBe(stated);
    }
  });

  test.each(['pkg:npm/module@1.0.0', `urn:cdx:${exampleSerial}/1#module@1.0.0`])('%s', (ref) => {
    const of = (status: string): string =>
      said({ ref, state: 'resolved', versions: listed(['1.0.0', status]) });
    expect(['unaffected', 'affected', 'unknown'].map(of)).toEqual([
      'lib@2.5.0 module@1.0.0',
      'product_version_differs',
      'product_version_differs',
    ]);
  });
});
