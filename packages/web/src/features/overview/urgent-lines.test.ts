import { firstOfEach } from './urgent-lines';

const row = (cve_id: string, id: number) => ({ cve_id, id });

test('a vulnerability of many services is one line, the one of the highest risk', () => {
  const rows = [row('CVE-2', 1), row('CVE-1', 2), row('CVE-2', 3), row('CVE-3', 4)];
  expect(firstOfEach(rows, 8).map(({ id }) => id)).toEqual([1, 2, 4]);
  expect(firstOfEach(rows, 2).map(({ id }) => id)).toEqual([1, 2]);
  expect(firstOfEach([], 8)).toEqual([]);
});
