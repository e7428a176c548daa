import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import type { BenchArguments } from './arguments';
import { calibrated } from './measure/in-folder';
import { describeMachine } from './measure/machine';
import { coresUsed } from './measure/quiet';
import { repositoryRoot, resultsFolder } from './paths';
import { timeInName, type BenchReport } from './report/bench-report';
import { readCommit } from './report/git-commit';
import { medians } from './report/tables';
import { loadBaseDocument, type BaseDocument } from './sboms/base-document';
import { chooseSize } from './scenarios/choose-size';
import type { RunMeasurement } from './scenarios/measure-run';
import { ownScenarios, sharedScenarios } from './scenarios/registry';
import { openContext } from './scenarios/open-context';
import {
  reportScenario,
  runScenario,
  type Repetition,
  type ScenarioReport,
} from './scenarios/run-scenario';
import type { Scenario } from './scenarios/scenario';
import { chooseAdvisories } from './stack/advisories';
import { withStack } from './stack/with-stack';

const idleWindowMs = 3000;

export interface BenchDeps {
  signal: AbortSignal;
  say: (line: string) => void;
}

/**
 * Starts a stack on a temporary folder, runs the scenarios and stops it again, whatever happens. Fails
 * with a `BenchFailure` when an answer was wrong or late, or with the reason of the aborted signal.
 */
export async function runBench(args: BenchArguments, deps: BenchDeps): Promise<BenchReport> {
  const startedAt = new Date();
  const machine = describeMachine();
  const commit = await readCommit(repositoryRoot());
  return withTemporaryFolder('bench', async (folder) => {
    try {
      deps.say('calibrating');
      const measured = await calibrated(folder, () => measureStack(args, { ...deps, folder }));
      return {
        format: 2,
        startedAt: startedAt.toISOString(),
        finishedAt: new Date().toISOString(),
        smoke: args.smoke,
        runs: args.runs,
        commit,
        machine,
        ...measured,
      };
    } catch (error) {
      keepLogs(folder, { startedAt, say: deps.say });
      throw error;
    }
  });
}

/** The data are thrown away also after a failure; what the processes had to say about it is not. */
function keepLogs(folder: string, options: { startedAt: Date; say: BenchDeps['say'] }): void {
  const logs = join(folder, 'data', 'logs');
  if (!existsSync(logs)) return;
  const kept = join(resultsFolder(), `${timeInName(options.startedAt)}-failed`);
  cpSync(logs, kept, { recursive: true });
  options.say(`the logs are kept in ${kept}`);
}

type Measured = Pick<BenchReport, 'data' | 'idleCores' | 'scenarios'>;

async function measureStack(
  args: BenchArguments,
  deps: BenchDeps & { folder: string },
): Promise<Measured> {
  const { signal, say, folder } = deps;
  const advisories = chooseAdvisories(join(folder, 'advisories'));
  const base = loadBaseDocument();
  const options = { dataDir: join(folder, 'data'), advisorySource: advisories.source, ...deps };
  say('starting the stack');
  const shared = await withStack(options, async (stack, api) => {
    say(`loading advisories (${advisories.kind}), checking the results of ${base.name}`);
    const context = await openContext(stack, { api, base, signal });
    await context.untilIdle();
    const idleCores = await coresUsed(stack.processes(), { windowMs: idleWindowMs, signal });
    const data = { ...describeBase(base), ...context.reference, advisories: advisories.kind };
    const reports = await runChosen(sharedScenarios, { args, say }, (scenario, repetition) =>
      runScenario(scenario, context, repetition),
    );
    return { data, idleCores, reports };
  });
  const own = await runChosen(ownScenarios, { args, say }, async (scenario, repetition) => {
    const ownFolder = join(folder, scenario.name);
    mkdirSync(ownFolder);
    const bench = { folder: ownFolder, advisories, base, isSmoke: args.smoke, signal, say };
    const runs = await scenario.measure(bench, repetition);
    rmSync(ownFolder, { recursive: true });
    return runs;
  });
  const { data, idleCores, reports } = shared;
  return { data, idleCores, scenarios: [...reports, ...own] };
}

/** Runs those of the scenarios that were asked for, one after the other. */
async function runChosen<Kind extends Scenario>(
  scenarios: readonly Kind[],
  { args, say }: { args: BenchArguments; say: BenchDeps['say'] },
  run: (scenario: Kind, repetition: Repetition) => Promise<RunMeasurement[]>,
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const scenario of scenarios) {
    if (args.scenario?.includes(scenario.name) === false) continue;
    const size = chooseSize(scenario, args);
    say(`${scenario.name}: ${args.runs} × ${size.uploads} uploads, ${size.clients} at a time`);
    const warmUpUploads = args.smoke ? Math.min(1, scenario.warmUpUploads) : scenario.warmUpUploads;
    const repetition = { size, warmUpUploads, runs: args.runs };
    const report = reportScenario(scenario, repetition, await run(scenario, repetition));
    // A bench that is ended early has said at least this.
    say(medians(report.summary));
    reports.push(report);
  }
  return reports;
}

function describeBase(base: BaseDocument) {
  return {
    document: base.name,
    components: base.document.components.length,
    knownPairs: base.expected.pairs.length,
  };
}
