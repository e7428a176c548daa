import { parse } from 'yaml';
import { asMarkdown, UndocumentedValues, valuesTable, withTable } from './values-table';

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

const table = (text: string) => valuesTable(text, parse(text) as Record<string, unknown>);

test('each value with a comment has a row, with its default', () => {
  expect(table(source)).toEqual([
    { key: 'replicas', value: '2', text: 'How many.' },
    { key: 'gate', value: '', text: 'A block.' },
    { key: 'gate.env', value: '{"A":1}', text: 'Its settings, on two lines.' },
    { key: 'gate.more.on', value: 'false', text: 'Deep.' },
  ]);
});

test('a value without a comment is a mistake', () => {
  expect(() => table(`${source}    off: true\nother: 1\n`)).toThrow(UndocumentedValues);
  expect(() => table(`${source}    off: true\nother: 1\n`)).toThrow('gate.more.off, other');
});

test('the table stands between its marks', () => {
  const rows = asMarkdown([{ key: 'a', value: '"x|y"', text: 'It.' }]);
  expect(rows).toBe(
    [
      '| value | default  | what it is |',
      '| ----- | -------- | ---------- |',
      '| `a`   | `"x\\|y"` | It.        |',
    ].join('\n'),
  );
  const document = 'Before\n<!-- values -->\nold\n<!-- end of values -->\nAfter';
  expect(withTable(document, 'new')).toBe(
    'Before\n<!-- values -->\n\nnew\n\n<!-- end of values -->\nAfter',
  );
  expect(() => withTable('nothing', 'new')).toThrow('no place');
});
