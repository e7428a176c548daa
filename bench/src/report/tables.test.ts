import { defaultReportFile, type BenchReport } from './bench-report';
import { renderReport, shortNumber } from './tables';

const calibration = { sha256MbPerSecond: 1523.4, jsonParseMbPerSecond: 201.7, fsyncsPerSecond: 88 };

const report: BenchReport = {
  format: 2,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:01:00.000Z',
  smoke: false,
  runs: 2,
  commit: { hash: '0123456789abcdef', modified: true },
  machine: {
    cpuModel: 'Fast',
    cpuCount: 2,
    memoryBytes: 2 ** 33,
    system: 'linux 6',
    node: 'v20',
    loadBefore: [0.5],
  },
  calibration: { before: calibration, after: calibration },
  data: {
    document: 'base.json',
    components: 201,
    vulnerabilities: 61,
    knownPairs: 63,
    advisories: 'starter set',
    advisoryData: 'starter',
  },
  idleCores: 0.034,
  scenarios: [
    {
      name: 'nightly-fleet',
      description: '',
      size: { uploads: 300, clients: 32 },
      warmUpUploads: 40,
      summary: { processed_per_second: { min: 31.26, median: 33.4, max: 35 } },
      aims: [{ figure: 'processed_per_second', bound: 'at least', value: 300, isReached: false }],
      processes: [
        {
          name: 'scanner',
          cpuSecondsPerSbom: { min: 0.01, median: 0.0123, max: 0.02 },
          rssBytes: { min: 2 ** 27, median: 2 ** 27, max: 2 ** 27 },
          peakRssBytes: 2 ** 28,
          writtenBytesPerSbom: { min: 0, median: 0, max: 0 },
        },
      ],
      runs: [],
    },
  ],
};

test('the table has the spread of each figure and the cost of each process', () => {
  const text = renderReport(report);
  expect(text).toMatch(/processed\/s\s+│ 31\.3 +│ 33\.4 +│ 35 +│ ≥ 300: not reached/);
  expect(text).toMatch(/nightly-fleet +│ 12\.3 \| 128 \(256\)/);
  expect(text).not.toContain('accepted/s');
});

test('beside the table stands what was measured on what', () => {
  const text = renderReport(report);
  expect(text).toContain('advisories: starter set');
  expect(text).toContain('63 known (purl, advisory) pairs checked');
  expect(text).toContain('SHA-256 1523 MB/s, JSON.parse 202 MB/s, 88 fsync/s');
  expect(text).toContain('commit: 0123456789ab, with changes that are not committed');
});

test('numbers are cut to what can be told apart', () => {
  expect([0.012345, 1.999, 45.67, 123.4, 0].map(shortNumber)).toEqual([
    '0.0123',
    '2',
    '45.7',
    '123',
    '0',
  ]);
});

test('a result file is named by its time, in characters that every file system takes', () => {
  const file = defaultReportFile('results', new Date(report.startedAt));
  expect(file).toBe('results/2026-01-01T00-00-00-000Z.json');
});
