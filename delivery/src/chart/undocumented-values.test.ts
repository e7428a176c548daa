import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { chartFile, readValues } from './files';
import { undocumentedValues } from './undocumented-values';

const source = `
# Of the file.

# How many.
replicas: 2
# A block.
gate:
  # Its settings,
  # on two lines.
  env: { A: 1 }
  more:
    # Deep.
    on: false
`;

const undocumented = (text: string) =>
  undocumentedValues(text, parse(text) as Record<string, unknown>);

test('a value is documented by the comment directly above it, or above its block', () => {
  expect(undocumented(source)).toEqual([]);
  expect(undocumented(`${source}    off: true\nother: 1\n`)).toEqual(['gate.more.off', 'other']);
  expect(undocumented('# Of the file.\n\nother: 1\n')).toEqual(['other']);
});

test('every value of the chart is documented', () => {
  expect(undocumentedValues(readFileSync(chartFile('values.yaml'), 'utf8'), readValues())).toEqual(
    [],
  );
});
