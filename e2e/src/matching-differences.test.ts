import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explainedDifferences } from './support/explained';
import { repositoryRoot } from './support/real-data';

const document = readFileSync(path.join(repositoryRoot, 'docs', 'matching-differences.md'), 'utf8');

/** The cells of the table's rows, without its head. */
function rows(): string[][] {
  const lines = document.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`|`$/g, '')),
  );
  return cells.slice(2);
}

test('the explained differences stand in docs/matching-differences.md as the comparison reads them', () => {
  const explained = explainedDifferences();
  expect(explained.length).toBeGreaterThan(0);
  expect(rows()).toEqual(
    explained.map((row) => [
      row.document,
      row.purl,
      row.advisory,
      row.expectation,
      row.ours,
      row.why,
    ]),
  );
});
