import { OperatorError } from '@bomtrail/embedded';
import { readArguments, usage } from './arguments';
import { endWith } from './end-with';
import { runPoints } from './points/run-points';
import { renderReport, writeReport } from './report';
import { runChaos } from './run-chaos';
import { runStorage } from './storage/run-storage';
import { openHarness } from './harness';

/** Content to which nothing refers goes after this long: no upload lasts longer, pauses included. */
const garbageGraceSeconds = 120;
/** The same where nothing is paused. */
const shortGraceSeconds = 10;

function say(line: string): void {
  console.error(`chaos: ${new Date().toISOString().slice(11, 23)} ${line}`);
}

/** Gives the exit code. */
async function main(): Promise<number> {
  const args = readArguments(process.argv.slice(2));
  if (args.help) {
    console.log(usage);
    return 0;
  }
  if (args.storage) return runStorage(say, args.json);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stopping.abort(new OperatorError('interrupted')));
  say(`seed ${args.seed}`);
  const grace = args.points ? shortGraceSeconds : garbageGraceSeconds;
  const env = { BOMTRAIL_GARBAGE_GRACE_SECONDS: String(grace) };
  const harness = await openHarness({ env, say });
  let keep = true;
  try {
    const run = args.points ? runPoints : runChaos;
    const report = await run(harness, { ...args, signal: stopping.signal });
    for (const { kind, what } of report.differences) console.log(`${kind}: ${what}`);
    console.log(renderReport(report));
    if (args.json !== undefined) writeReport(report, args.json);
    keep = report.differences.length > 0;
  } finally {
    await harness.close(keep);
    if (keep) console.log(`Data and logs are kept in ${harness.dataDir}`);
  }
  return keep ? 1 : 0;
}

endWith(main);
