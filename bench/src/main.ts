import { setMaxListeners } from 'node:events';
import { OperatorError } from '@bomtrail/embedded';
import { readArguments } from './arguments';
import { BenchFailure } from './bench-failure';
import { resultsFolder } from './paths';
import { isProgram, programs } from './programs';
import { HelpShown } from './read-options';
import { defaultReportFile, readReport, writeReport } from './report/bench-report';
import { renderComparison } from './report/compare';
import { renderReport } from './report/tables';
import { runBench } from './run-bench';
import { scenarios } from './scenarios/registry';

/** However many scenarios and runs were asked for. */
const longestBenchMs = 3 * 60 * 60 * 1000;

async function main(): Promise<void> {
  const stopping = new AbortController();
  // Every request and every pause under way listens to it.
  setMaxListeners(0, stopping.signal);
  const stop = (reason: string): void => stopping.abort(new BenchFailure(reason));
  const timer = setTimeout(() => stop('the bench took longer than three hours'), longestBenchMs);
  process.on('SIGINT', () => stop('interrupted'));
  process.on('SIGTERM', () => stop('terminated'));
  process.on('SIGHUP', () => stop('the terminal was closed'));
  try {
    const [first, ...rest] = process.argv.slice(2);
    const say = (line: string): void => console.error(`bench: ${line}`);
    const deps = { signal: stopping.signal, say };
    if (isProgram(first)) {
      console.log(await programs[first].run(rest, deps));
      return;
    }
    const args = readArguments(process.argv.slice(2), scenarios);
    if (args.compare !== undefined) {
      const [a = '', b = ''] = args.compare;
      console.log(renderComparison(readReport(a), readReport(b)));
      return;
    }
    const report = await runBench(args, deps);
    console.log(renderReport(report));
    const file = args.json ?? defaultReportFile(resultsFolder(), new Date(report.startedAt));
    writeReport(report, file);
    say(`written to ${file}`);
  } catch (error) {
    if (error instanceof HelpShown) return;
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(`bench: ${describe(reason)}`);
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  if (error instanceof BenchFailure || error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

void main();
