import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchArguments } from './arguments';
import { calibrate } from './measure/calibration';
import { describeMachine } from './measure/machine';
import { coresUsed } from './measure/quiet';
import { repositoryRoot, resultsFolder } from './places';
import { timeInName, type BenchReport } from './report/bench-report';
import { readCommit } from './report/git-commit';
import { loadBaseDocument, type BaseDocument } from './sboms/base-document';
import { chooseSize } from './scenarios/choose-size';
import { scenarios } from './scenarios/registry';
import { openContext } from './scenarios/open-context';
import { reportScenario, runScenario, type ScenarioReport } from './scenarios/run-scenario';
import type { SharedScenario } from './scenarios/scenario';
import type { ScenarioContext } from './scenarios/scenario-context';
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
  const folder = mkdtempSync(join(tmpdir(), 'bomtrail-bench-'));
  try {
    deps.say('calibrating');
    const before = calibrate(folder);
    const measured = await measureStack(args, { ...deps, folder });
    const calibration = { before, after: calibrate(folder) };
    return {
      format: 2,
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      smoke: args.smoke,
      runs: args.runs,
      commit,
      machine,
      calibration,
      ...measured,
    };
  } catch (error) {
    keepLogs(folder, { startedAt, say: deps.say });
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  const dataDir = join(folder, 'data');
  const advisories = chooseAdvisories(join(folder, 'advisories'));
  say('starting the stack');
  return withStack({ ...deps, dataDir, advisorySource: advisories.source }, async (stack, api) => {
    const base = loadBaseDocument();
    say(`loading advisories (${advisories.kind}), checking the results of ${base.name}`);
    const context = await openContext(stack, { api, base, signal });
    await context.settle();
    const idleCores = await coresUsed(stack.processes(), { windowMs: idleWindowMs, signal });
    const data = { ...describeBase(base), ...context.reference, advisories: advisories.kind };
    return { data, idleCores, scenarios: await runAll(args, context, say) };
  });
}

async function runAll(
  args: BenchArguments,
  context: ScenarioContext,
  say: (line: string) => void,
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const scenario of chosen(args)) {
    const size = chooseSize(scenario, args);
    say(`${scenario.name}: ${args.runs} × ${size.uploads} uploads, ${size.clients} at a time`);
    const warmUpUploads = args.smoke ? 1 : scenario.warmUpUploads;
    const repetition = { size, warmUpUploads, runs: args.runs };
    const runs = await runScenario(scenario, context, repetition);
    reports.push(reportScenario(scenario, repetition, runs));
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

function chosen(args: BenchArguments): readonly SharedScenario[] {
  const names = args.scenarios;
  return names === undefined ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}
