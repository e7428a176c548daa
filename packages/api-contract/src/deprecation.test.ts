import { loadContract } from './contract';
import { openapiDocument } from './document';

/** The contract with these keywords on the operation that reads a project. */
function withKeywords(keywords: object): object {
  const document = openapiDocument() as { paths: Record<string, { get: object }> };
  const path = '/api/v1/projects/{project_id}';
  Object.assign(document.paths[path]!.get, keywords);
  return document;
}

const removalDate = (document: object) =>
  loadContract({ document }).operations.get('getProject')?.removalDate;

test('a deprecated operation has a removal date', () => {
  expect(removalDate(withKeywords({}))).toBeNull();
  expect(removalDate(withKeywords({ deprecated: true, 'x-removal-date': '2027-06-30' }))).toBe(
    '2027-06-30',
  );
});

test.each([
  { deprecated: true },
  { 'x-removal-date': '2027-06-30' },
  { deprecated: false, 'x-removal-date': '2027-06-30' },
  { deprecated: true, 'x-removal-date': '2027-02-30' },
  { deprecated: true, 'x-removal-date': 'soon' },
])('%j stops the start', (keywords) => {
  expect(() => loadContract({ document: withKeywords(keywords) })).toThrow(/x-removal-date/);
});
