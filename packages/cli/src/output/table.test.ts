import { table } from './table';

test('columns are as wide as their widest cell, also with characters of two columns or none', () => {
  const rows = [
    ['x', 'y 漢字'],
    ['longer', 'e\u0301👍'],
  ];
  expect(table(['A', 'Other'], rows).split('\n')).toEqual([
    '┌────────┬────────┐',
    '│ A      │ Other  │',
    '├────────┼────────┤',
    '│ x      │ y 漢字 │',
    '│ longer │ e\u0301👍    │',
    '└────────┴────────┘',
  ]);
});

test('a table without rows has its head', () => {
  expect(table(['A', 'B'], []).split('\n')).toEqual(['┌───┬───┐', '│ A │ B │', '└───┴───┘']);
});
