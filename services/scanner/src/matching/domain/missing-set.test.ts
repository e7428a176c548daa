import { expect, test } from '@jest/globals';
import { isMissingForGood } from './missing-set';

const createdAt = '2026-01-01T00:00:00.000Z';

test.each([
  ['just now', '2026-01-01T00:00:00.000Z', false],
  ['ten minutes ago', '2026-01-01T00:10:00.000Z', false],
  ['more than ten minutes ago', '2026-01-01T00:10:00.001Z', true],
  ['in the future of our clock', '2025-12-31T23:59:00.000Z', false],
])('components of an SBOM that was recorded %s: missing for good?', (_when, now, isForGood) => {
  expect(isMissingForGood(createdAt, Date.parse(now))).toBe(isForGood);
});
