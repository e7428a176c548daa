import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calibrate } from '../measure/calibration';
import { waitUntilQuiet } from '../measure/quiet';
import { withStack } from '../stack/with-stack';
import { buildEstate } from './build-estate';
import type { EstateArguments } from './estate-arguments';
import { fillEstateFeed, makeEstateFeed } from './estate-feed';
import { planEstate } from './estate-plan';
import { measureEstate, type EstateReport } from './measure-estate';

export interface EstateDeps {
  signal: AbortSignal;
  say: (line: string) => void;
}

/** Builds an estate, or takes the one that is kept, and measures what changes of the feed cost it. */
export async function runEstate(args: EstateArguments, deps: EstateDeps): Promise<EstateReport> {
  const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'bomtrail-estate-'));
  mkdirSync(folder, { recursive: true });
  try {
    const before = calibrate(folder);
    const report = await measureIn(folder, args, deps);
    return { ...report, calibration: { before, after: calibrate(folder) } };
  } finally {
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  args: EstateArguments,
  deps: EstateDeps,
): Promise<Omit<EstateReport, 'calibration'>> {
  const { signal, say } = deps;
  const built = join(folder, 'estate-is-built');
  const feed = makeEstateFeed(join(folder, 'feed'));
  if (!existsSync(built)) fillEstateFeed(feed);
  const options = {
    ...{ dataDir: join(folder, 'data'), advisorySource: feed.folder, ...deps },
    env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
  };
  return withStack(options, async (stack, api) => {
    const settle = (): Promise<boolean> => waitUntilQuiet(() => stack.processes(), signal);
    const plan = planEstate(args.sboms);
    if (!existsSync(built)) {
      const { sboms, seconds } = await buildEstate(plan, { api, signal, say });
      say(`${sboms} SBOMs uploaded in ${Math.round(seconds)} s`);
      // What was asked for twice in the rush is still in the queues.
      while (!(await settle())) say('the stack still works on what was uploaded');
      writeFileSync(built, `${sboms} SBOMs in ${seconds} s\n`);
    }
    return measureEstate(plan, { api, stack, settle, signal, say, feed });
  });
}
