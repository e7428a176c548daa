import { sumOf } from './counters';

const text = `# HELP a_total Help for a_total
a_total{lane="upload",service="x"} 3
a_total{lane="rescan",service="x"} 4
a_total_more 9
b_sum 1.5
`;

test('a metric is the sum of its samples, or of those with a label', () => {
  expect(sumOf(text, 'a_total')).toBe(7);
  expect(sumOf(text, 'a_total', 'lane="rescan"')).toBe(4);
  expect(sumOf(text, 'b_sum')).toBe(1.5);
  expect(sumOf(text, 'missing')).toBe(0);
});
