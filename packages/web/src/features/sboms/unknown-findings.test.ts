import { unknownFindings } from './unknown-findings';

test.each([
  [null, 'scanned', true],
  [null, 'scanned', undefined],
  ['pending', 'pending', true],
  ['failed', 'failed', true],
  ['dropped', 'scanned', false],
  ['dropped', 'failed', false],
] as const)('%s: %s, retained %s', (unknown, scan_status, retained) =>
  expect(unknownFindings({ scan_status, ...(retained !== undefined && { retained }) })).toBe(
    unknown,
  ),
);
