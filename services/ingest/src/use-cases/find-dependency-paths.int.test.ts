import { randomBytes } from 'node:crypto';
import { findDependencyPaths, type DependencyPathsView } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { documentOf, purlOf } from '../testing/dependency-document';
import { startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startIngest();
});
afterAll(() => ingest?.stop());

async function pathsIn(sha256: string, ...names: string[]): Promise<DependencyPathsView[]> {
  const purls = names.map(purlOf);
  const { attachment } = await ingest.bus.request(findDependencyPaths, { sha256, purls });
  return (await unpackJson(attachment ?? Buffer.alloc(0))) as DependencyPathsView[];
}

const textOf = ({ paths }: DependencyPathsView): string[] =>
  paths.map((path) => path.map(({ name }) => name).join('>'));

test('the paths to components are read from the stored document, also again', async () => {
  const document = documentOf({ app: ['a', 'b'], a: ['c'], b: ['c'], c: ['d'] });
  const { sha256 } = await ingest.upload(document);
  const [first, second] = await pathsIn(sha256, 'd', 'unheard-of');
  expect(first).toMatchObject({ purl: purlOf('d'), has_graph: true, found: true, more: false });
  expect(textOf(first as DependencyPathsView)).toEqual(['a>c>d', 'b>c>d']);
  expect(second).toMatchObject({ found: false, paths: [] });
  const again = await pathsIn(sha256, 'unheard-of', 'c', 'd', 'd');
  expect(again.map(({ purl }) => purl)).toEqual(['unheard-of', 'c', 'd'].map(purlOf));
  expect(again[2]).toEqual(first);
});

test('a document without a graph has no paths, and an unknown one is not found', async () => {
  const { sha256 } = await ingest.upload(documentOf({ a: ['b'] }));
  expect(await pathsIn(sha256, 'b')).toEqual([
    { purl: purlOf('b'), has_graph: false, found: null, paths: [], more: false },
  ]);
  const unknown = pathsIn(randomBytes(32).toString('hex'), 'b');
  await expect(unknown).rejects.toMatchObject({ code: 'sbom_not_found' });
});
