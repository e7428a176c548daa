import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { readBenchReport, type BenchReport } from './bench-reports';
import { slownessOf } from './calibration';
import { comparePoints, isOff } from './compare';
import { comparisonLines } from './comparison-lines';
import { measuredSpeed, residentBytes, storedBytes, uploadMs } from './costs';
import { rateOn } from './model';

/** A machine with cores half as fast, and what the model predicts for it. */
function predictedReport(): BenchReport {
  const half = {
    sha256MbPerSecond: measuredSpeed.sha256MbPerSecond / 2,
    jsonParseMbPerSecond: measuredSpeed.jsonParseMbPerSecond / 2,
  };
  const scenario = (name: string, median: number, warmUpUploads = 0) => ({
    name,
    size: { uploads: 100 },
    warmUpUploads,
    summary: {
      processed_per_second: { median },
      stored_bytes_per_sbom: { median: storedBytes.nightly },
    },
    processes: [
      {
        name: 'ingest',
        cpuSecondsPerSbom: { median: (uploadMs.ingest.nightly * 2) / 1000 },
        rssBytes: { median: residentBytes.ingest.start + 350 * residentBytes.ingest.perUpload },
      },
      { name: 'notifier', cpuSecondsPerSbom: { median: 0.0003 }, rssBytes: { median: 82e6 } },
    ],
  });
  return {
    name: 'half',
    runs: 1,
    machine: { cpuCount: 4 },
    calibration: { before: half, after: half },
    scenarios: [
      scenario('idle-latency', 7, 50),
      scenario('identical-bytes', 7, 900),
      scenario('nightly-fleet', rateOn(4, 'nightly') / 2, 100),
    ],
  };
}

test('figures are predicted for the speed and cores of the machine that was measured', () => {
  const report = predictedReport();
  expect(slownessOf(report)).toBeCloseTo(2);
  const points = comparePoints(report);
  expect(new Set(points.map(({ scenario }) => scenario))).toEqual(new Set(['nightly-fleet']));
  for (const { figure, predicted, measured, counts } of points)
    if (counts) expect([figure, measured / predicted]).toEqual([figure, expect.closeTo(1)]);
  expect(points.map(({ figure }) => figure)).toEqual([
    'uploads a second',
    'stored KB',
    'CPU ms ingest',
    'RSS MB ingest',
    'CPU ms notifier',
    'RSS MB notifier',
  ]);
  expect(comparisonLines([report]).at(-1)).toMatch(/^5 of 5 within a quarter/);
});

test('a report of a machine that was busy with something else is named', () => {
  const report = predictedReport();
  const { before } = report.calibration;
  const after = { ...before, jsonParseMbPerSecond: before.jsonParseMbPerSecond / 1.5 };
  expect(comparisonLines([report])[0]).toMatch(/2\.00 times as slow as those of the costs$/);
  const [first] = comparisonLines([{ ...report, calibration: { before, after } }]);
  expect(first).toContain('run the bench again on a quiet machine');
});

test('a figure that is off by more than a quarter is marked, a share of an upload too small to measure is not', () => {
  const point = { report: 'r', scenario: 's', figure: 'f', predicted: 100, counts: true };
  const off = (measured: number, counts = true) => isOff({ ...point, measured, counts });
  expect([off(79), off(81), off(124), off(126)]).toEqual([true, false, false, true]);
  expect(off(200, false)).toBe(false);
  const notifier = comparePoints(predictedReport()).find(
    ({ figure }) => figure === 'CPU ms notifier',
  );
  expect(notifier?.counts).toBe(false);
});

test('a file that is no report of the bench is refused with what to do', async () => {
  await withTemporaryFolder('reports', async (folder) => {
    const file = path.join(folder, 'one.json');
    expect(() => readBenchReport(file)).toThrow('npm run bench -- --json FILE');
    for (const text of ['{', '{"format":1,"scenarios":[]}', '{"format":2}']) {
      writeFileSync(file, text);
      expect(() => readBenchReport(file)).toThrow('npm run bench -- --json FILE');
    }
    writeFileSync(file, '{"format":2,"scenarios":[],"runs":1}');
    expect(readBenchReport(file)).toMatchObject({ name: 'one', runs: 1 });
  });
});
