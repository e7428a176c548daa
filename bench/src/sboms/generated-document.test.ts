import { generatedDocument, generatedPairs } from './generated-document';

test('a generated document lists every package of which a finding is expected', () => {
  const purls = new Set(generatedDocument(201).components.map(({ purl }) => purl));
  const expected = generatedPairs().map((pair) => pair.split('\t')[0]);
  expect(expected.length).toBe(6);
  for (const purl of expected) expect(purls).toContain(purl);
});
