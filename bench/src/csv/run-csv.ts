import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { keptStack } from '../active-list/kept-stack';
import { BenchFailure } from '../bench-failure';
import { calibrated, inFolder, type Calibrations } from '../measure/in-folder';
import { costBetween, forgetPeaks, readUsage, type ProcessCost } from '../measure/process-usage';
import { waitUntilQuiet } from '../measure/quiet';
import { calibrationLines, plainTable, shortNumber } from '../report/tables';
import type { BenchDeps } from '../run-bench';
import type { BenchStack } from '../stack/bench-stack';
import { withStack } from '../stack/with-stack';

export interface CsvArguments {
  /** Tracked vulnerabilities; all of them are exported. */
  rows: number;
  rowsPerService: number;
  /** Folder in which the filled stack is stored for reuse; undefined: a temporary one. */
  keep?: string;
}

/** What Python's csv module read: it is nobody's who wrote the export. */
interface Read {
  rows: number;
  columns: number;
  bytes: number;
}

interface CsvReport {
  read: Read;
  seconds: number;
  costs: ProcessCost[];
  calibration: Calibrations;
}

/** Counts records and insists on the same number of fields in each. */
const reader = `
import csv, io, json, sys
class Counted(io.RawIOBase):
    size = 0
    def readable(self): return True
    def readinto(self, into):
        part = sys.stdin.buffer.read1(len(into))
        into[:len(part)] = part
        self.size += len(part)
        return len(part)
counted = Counted()
rows = csv.reader(io.TextIOWrapper(io.BufferedReader(counted), encoding='utf-8-sig', newline=''))
columns = len(next(rows))
count = 0
for row in rows:
    if len(row) != columns: sys.exit('record %d has %d fields' % (count + 1, len(row)))
    count += 1
print(json.dumps({'rows': count, 'columns': columns, 'bytes': counted.size}))
`;

/** Exports every tracked vulnerability as CSV into Python's csv module, and measures what that costs. */
export function runCsv(args: CsvArguments, deps: BenchDeps): Promise<string> {
  return inFolder({ name: 'csv', ...args }, async (folder) => {
    const dataDir = await keptStack(folder, args, deps);
    const options = { dataDir, advisorySource: 'starter', ...deps };
    const report = await calibrated(folder, () =>
      withStack(options, async (stack) => {
        await waitUntilQuiet(() => stack.processes(), deps.signal);
        await forgetPeaks(stack.processes());
        const before = await readUsage(stack.processes());
        const begin = performance.now();
        const read = await exportInto(stack, deps.signal);
        const seconds = (performance.now() - begin) / 1000;
        const costs = costBetween(before, await readUsage(stack.processes()));
        return { read, seconds, costs };
      }),
    );
    if (report.read.rows !== args.rows)
      throw new BenchFailure(`${report.read.rows} of ${args.rows} rows were exported`);
    return render(report);
  });
}

async function exportInto({ baseUrl, apiKey }: BenchStack, signal: AbortSignal): Promise<Read> {
  const response = await fetch(`${baseUrl}/api/v1/vulnerabilities?format=csv`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal,
  });
  if (!response.ok || !response.body) throw new BenchFailure(`the export is ${response.status}`);
  const python = spawn('python3', ['-c', reader], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done, fail) => {
    python.on('error', fail);
    python.on('close', done);
  });
  let said = '';
  python.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await pipeline(Readable.fromWeb(response.body as ReadableStream), python.stdin);
  if ((await ended) !== 0) throw new BenchFailure('Python could not read the export');
  return JSON.parse(said) as Read;
}

function render({ read, seconds, costs, calibration }: CsvReport): string {
  const table = plainTable(['process', 'CPU s', 'peak RSS MiB', 'RSS MiB afterwards']);
  for (const { name, cpuSeconds, peakRssBytes, rssBytes } of costs)
    table.push([
      name,
      ...[cpuSeconds, peakRssBytes / 2 ** 20, rssBytes / 2 ** 20].map(shortNumber),
    ]);
  const size = shortNumber(read.bytes / 2 ** 20);
  return [
    `${read.rows} rows of ${read.columns} fields, ${size} MiB, read by Python's csv module in ${shortNumber(seconds)} s`,
    table.toString(),
    calibrationLines(calibration),
  ].join('\n');
}
