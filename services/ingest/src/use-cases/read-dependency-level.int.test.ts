import { randomBytes } from 'node:crypto';
import { readDependencyLevel, type DependencyLevelView } from '@bomtrail/messages';
import { packJson, unpackJson } from '@bomtrail/messaging';
import { documentOf, purlOf } from '../testing/dependency-document';
import { startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

interface Asked {
  parent?: string;
  words?: string[];
  vulnerable?: { purl: string; versions: string[] }[];
  skip?: number;
}

async function levelIn(sha256: string, asked: Asked = {}): Promise<DependencyLevelView> {
  const { parent = null, words = [], vulnerable, skip = 0 } = asked;
  const { attachment } = await ingest.bus.request(
    readDependencyLevel,
    { sha256, parent, words, vulnerable: vulnerable !== undefined, skip, limit: 100 },
    vulnerable && (await packJson(JSON.stringify(vulnerable))),
  );
  return (await unpackJson(attachment ?? Buffer.alloc(0))) as DependencyLevelView;
}

const namesOf = ({ items }: DependencyLevelView) => items.map(({ name }) => name);

test('the levels of the dependency tree are read from the stored document, by query', async () => {
  const document = documentOf({ app: ['b', 'a'], a: ['c'], b: ['c', 'd'] });
  const { sha256 } = await ingest.upload(document);
  expect(await levelIn(sha256)).toMatchObject({ has_graph: true, total: 2 });
  for (let n = 0; n < 2; n++) {
    expect(namesOf(await levelIn(sha256))).toEqual(['a', 'b']);
    expect(namesOf(await levelIn(sha256, { parent: 'b' }))).toEqual(['c', 'd']);
    expect(namesOf(await levelIn(sha256, { parent: 'b', skip: 1 }))).toEqual(['d']);
    expect(namesOf(await levelIn(sha256, { words: ['d'] }))).toEqual(['b']);
    for (const name of ['c', 'd']) {
      const vulnerable = [{ purl: purlOf(name), versions: ['1.0.0'] }];
      const expected = name === 'c' ? ['a', 'b'] : ['b'];
      expect(namesOf(await levelIn(sha256, { vulnerable }))).toEqual(expected);
    }
    expect(namesOf(await levelIn(sha256, { vulnerable: [] }))).toEqual([]);
  }
  expect(await levelIn(sha256, { parent: 'x' })).toMatchObject({ parent_known: false });
});

test('a document without a graph has no levels, and an unknown one is not found', async () => {
  const { sha256 } = await ingest.upload(documentOf({ a: ['b'] }));
  const nothing = { has_graph: false, parent_known: true, items: [], total: 0 };
  expect(await levelIn(sha256)).toEqual(nothing);
  await expect(levelIn(randomBytes(32).toString('hex'))).rejects.toMatchObject({
    code: 'sbom_not_found',
  });
});
