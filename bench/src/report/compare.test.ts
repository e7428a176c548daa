import type { BenchReport } from './bench-report';
import { renderComparison } from './compare';

const calibration = { sha256MbPerSecond: 1500, jsonParseMbPerSecond: 200, fsyncsPerSecond: 90 };

function report(name: string, rate: number, fsyncsPerSecond = 90): BenchReport {
  const spread = { min: rate, median: rate, max: rate };
  return {
    format: 2,
    startedAt: '',
    finishedAt: '',
    smoke: false,
    runs: 3,
    idleCores: 0,
    commit: { hash: '0123456789abcdef', modified: false },
    machine: {
      cpuModel: '',
      cpuCount: 2,
      memoryBytes: 1,
      system: '',
      node: '',
      loadBefore: [],
    },
    calibration: { before: calibration, after: { ...calibration, fsyncsPerSecond } },
    data: {
      document: 'base.json',
      components: 1,
      vulnerabilities: 1,
      knownPairs: 1,
      advisories: 'shared folder',
      advisoryData: 'feed',
    },
    scenarios: [
      {
        name,
        description: '',
        size: { uploads: 1, clients: 1 },
        warmUpUploads: 0,
        summary: { processed_per_second: spread },
        aims: [{ figure: 'processed_per_second', bound: 'at least', value: 30, isReached: true }],
        processes: [],
        runs: [],
      },
    ],
  };
}

test('two reports stand side by side with the ratio of their medians', () => {
  const text = renderComparison(report('nightly', 20), report('nightly', 50));
  expect(text).toMatch(/nightly +│ processed\/s │ 20 +│ 50 +│ 2\.5 +│ reached/);
  expect(text).not.toContain('warning');
});

test('a slower machine is a warning', () => {
  const text = renderComparison(report('nightly', 20), report('nightly', 20, 30));
  expect(text).toContain(
    'warning: the calibration differs by a factor of 3 between A and B, after',
  );
  expect(text).toContain('within B');
});

test('reports without a common scenario cannot be compared', () => {
  expect(() => renderComparison(report('a', 1), report('b', 1))).toThrow('no scenario in common');
});
