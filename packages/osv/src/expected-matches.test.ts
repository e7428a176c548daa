import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { evaluate } from './evaluate';
import { locate } from './locate';
import { affectedKeys, packageKey } from './package-key';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';

/**
 * Real documents against real advisories, compared with the pairs (purl, advisory id) that an
 * independent program found by the same rules. The data stands beside the checkout and is no part
 * of it.
 */
const DATA = join(__dirname, '../../../../shared/data');

type Json = { [key: string]: unknown };

/** Of the ecosystems that the documents name: reading the other 26,000 records changes nothing. */
async function loadAdvisories(ecosystems: Iterable<string>): Promise<Map<string, OsvRecord[]>> {
  const byKey = new Map<string, OsvRecord[]>();
  for (const ecosystem of ecosystems) {
    const path = join(DATA, 'advisories', ecosystem, 'all.zip');
    // Of some ecosystems the data hold none.
    if (!existsSync(path)) continue;
    const zip = await openPromise(path);
    for await (const file of zip.eachEntry()) {
      const json: unknown = JSON.parse(await text(await zip.openReadStreamPromise(file)));
      const read = readRecord(json);
      if (!read.ok) throw new Error(`${file.fileName}: ${read.problem}`);
      for (const key of affectedKeys(read.record)) {
        const records = byKey.get(key);
        if (records === undefined) byKey.set(key, [read.record]);
        else records.push(read.record);
      }
    }
  }
  return byKey;
}

/** What a document says of a purl: its source package (Trivy's `sourceInfo`), or nothing more. */
type Purls = Map<string, { source_package?: string }>;

/** The purls of a document's components, or null for a format that is not accepted (SPDX 3). */
function purlsOf(document: Json): Purls | null {
  if (document.bomFormat === 'CycloneDX') {
    const { component: root } = (document.metadata ?? {}) as Json;
    const components = [...objects(document.components), ...objects([root].filter(Boolean))];
    return new Map(componentPurls(components).map((purl) => [purl, {}]));
  }
  if (typeof document.spdxVersion !== 'string') return null;
  return new Map(
    objects(document.packages).flatMap((entry) =>
      objects(entry.externalRefs)
        .filter((reference) => reference.referenceType === 'purl')
        .map((reference) => [String(reference.referenceLocator), sourceOf(entry)]),
    ),
  );
}

function sourceOf({ sourceInfo }: Json): { source_package?: string } {
  const found = /^built package from: (\S+) (\S+)$/.exec(String(sourceInfo));
  return found === null ? {} : { source_package: `${found[1]}@${found[2]}` };
}

function componentPurls(components: unknown): string[] {
  return objects(components).flatMap((component) => [
    ...(typeof component.purl === 'string' ? [component.purl] : []),
    ...componentPurls(component.components),
  ]);
}

function objects(json: unknown): Json[] {
  return Array.isArray(json) ? (json as Json[]) : [];
}

type Verdicts = Map<string, string>;

/** `purl ⇥ advisory id` → the verdict's status, for all advisories that name the package. */
function verdictsOf(purls: Purls, advisories: Map<string, OsvRecord[]>): Verdicts {
  const verdicts: Verdicts = new Map();
  for (const [purl, source] of purls) {
    const located = locate({ purl, version: '', ...source });
    if (located.kind !== 'packages' || isOfListedModule(purl, purls)) continue;
    for (const pkg of located.packages) {
      for (const record of advisories.get(packageKey(pkg.ecosystem, pkg.name)) ?? []) {
        const pair = `${purl}\t${record.id}`;
        if (verdicts.get(pair) !== 'affected') verdicts.set(pair, evaluate(record, pkg).status);
      }
    }
  }
  return verdicts;
}

/**
 * Is this a Go package whose module the document lists, too? The expectation names the module alone (M46).
 */
function isOfListedModule(purl: string, purls: Purls): boolean {
  if (!purl.includes('type=package')) return false;
  const located = locate({ purl, version: '' });
  const [module] = located.kind === 'packages' ? located.packages : [];
  const own = module && `pkg:golang/${module.name}@v${module.version}?type=module`;
  return own !== undefined && purls.has(own) && !purl.startsWith(own.replace(/=module$/, ''));
}

function ecosystemsOf(purls: Iterable<string>): Set<string> {
  const named = [...purls].flatMap((purl) => {
    const located = locate({ purl, version: '' });
    return located.kind === 'packages' ? located.packages : [];
  });
  return new Set(named.map(({ ecosystem }) => ecosystem));
}

interface Document {
  name: string;
  purls: Purls;
  expectedFile: string;
}

/** The documents of an accepted format that have an expectation. */
function readDocuments(): Document[] {
  return readdirSync(join(DATA, 'sboms')).flatMap((name) => {
    const content = readFileSync(join(DATA, 'sboms', name), 'utf8').replace(/^\ufeff/, '');
    const purls = purlsOf(JSON.parse(content) as Json);
    const expectedFile = join(DATA, 'expected', name.replace(/\.json$/, '.tsv'));
    return purls === null || !existsSync(expectedFile) ? [] : [{ name, purls, expectedFile }];
  });
}

/** All pairs, of every ecosystem. */
function expectedPairs(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('pkg:'));
}

/** A difference that was looked into; docs/matching.md sums them up. */
interface Difference {
  document: string;
  purl: string;
  advisory: string;
  expectation: string;
  ours: string;
}

const EXPLAINED = JSON.parse(
  readFileSync(join(__dirname, '../testdata/differences.json'), 'utf8'),
) as Difference[];

const describeWithData = existsSync(DATA) ? describe : describe.skip;

describeWithData(
  'real documents, real advisories (skipped where ../shared/data is missing)',
  () => {
    test('give the findings of an independent evaluation of the same rules, but for what is explained one by one', async () => {
      const documents = readDocuments();
      const ecosystems = ecosystemsOf(documents.flatMap(({ purls }) => [...purls.keys()]));
      const advisories = await loadAdvisories(ecosystems);
      const compared = { documents: 0, pairs: 0 };
      const differences: string[] = [];
      for (const { name, purls, expectedFile } of documents) {
        const verdicts = verdictsOf(purls, advisories);
        const expected = new Set(expectedPairs(expectedFile));
        const say = (pair: string): string => verdicts.get(pair) ?? 'not_affected';
        const pairs = new Set([...expected, ...verdicts.keys()]);
        const differing = [...pairs].filter(
          (pair) => expected.has(pair) !== (say(pair) === 'affected'),
        );
        differences.push(...differing.map((pair) => `${name}\t${pair}\t${say(pair)}`));
        compared.documents += 1;
        compared.pairs += expected.size;
      }
      const explained = EXPLAINED.map(
        ({ document, purl, advisory, ours }) => `${document}\t${purl}\t${advisory}\t${ours}`,
      );
      expect(differences.sort()).toEqual(explained.sort());
      expect(compared).toEqual({ documents: 80, pairs: 2806 });
    }, 180_000);
  },
);
