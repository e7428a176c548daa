import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { OperatorError } from '@bomtrail/embedded';
import { numberOf } from '../arguments';
import { endWith } from '../end-with';
import { openCluster } from './open-cluster';
import { renderClusterReport } from './report';
import { runCluster } from './run-cluster';

const usage = [
  'npm run cluster -- [arguments]',
  '',
  '  --seed N      the order of the kills and the load of an earlier run again (default: drawn, and printed)',
  '  --json FILE   the report as JSON beside the table',
].join('\n');

/** As in chaos: no upload lasts longer. */
const env = { BOMTRAIL_GARBAGE_GRACE_SECONDS: '120' };

function say(line: string): void {
  console.error(`cluster: ${new Date().toISOString().slice(11, 23)} ${line}`);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        ...{ seed: { type: 'string' as const }, json: { type: 'string' as const } },
        help: { type: 'boolean' as const, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`);
  }
}

/** Gives the exit code. */
async function main(): Promise<number> {
  const args = readArguments();
  if (args.help) {
    console.log(usage);
    return 0;
  }
  const seed = Math.floor(numberOf('seed', args.seed) ?? Date.now() % 2 ** 31);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stopping.abort(new OperatorError('interrupted')));
  say(`seed ${seed}`);
  const harness = await openCluster({ env, say });
  let keep = true;
  try {
    const report = await runCluster(harness, { seed, signal: stopping.signal });
    for (const { kind, what } of report.differences) console.log(`${kind}: ${what}`);
    console.log(renderClusterReport(report));
    if (args.json !== undefined) writeFileSync(args.json, `${JSON.stringify(report, null, 2)}\n`);
    keep = report.differences.length > 0;
  } finally {
    if (keep) say(`data and logs are kept in ${harness.dataDir}`);
    await harness.close(keep);
  }
  return keep ? 1 : 0;
}

endWith(main);
