import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchArguments } from './arguments';
import { createApi, type Api } from './load/api';
import { pollUntil } from './load/poll';
import { calibrate } from './measure/calibration';
import { describeMachine } from './measure/machine';
import { coresUsed, waitUntilQuiet } from './measure/quiet';
import { repositoryRoot, resultsFolder } from './places';
import { timeInName, type BenchReport, type DataDescription } from './report/bench-report';
import { readCommit } from './report/git-commit';
import { loadBaseDocument, type BaseDocument } from './sboms/base-document';
import { createSbomMaker } from './sboms/variants';
import { chooseSize } from './scenarios/choose-size';
import { scenarios } from './scenarios/registry';
import { runScenario, type ScenarioReport } from './scenarios/run-scenario';
import type { Scenario } from './scenarios/scenario';
import type { ScenarioContext } from './scenarios/scenario-context';
import { chooseAdvisories } from './stack/advisories';
import { startBenchStack, type BenchStack } from './stack/bench-stack';
import { establishReference } from './verify/reference';

/** Connections beyond those of the scenarios: reading and waiting go on beside the uploads. */
const spareConnections = 8;
const readyTimeoutMs = 120_000;
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
  const dataDir = mkdtempSync(join(tmpdir(), 'bomtrail-bench-'));
  try {
    deps.say('calibrating');
    const before = calibrate(dataDir);
    const measured = await measureStack(args, { ...deps, dataDir });
    const calibration = { before, after: calibrate(dataDir) };
    return {
      format: 1,
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
    keepLogs(dataDir, { startedAt, say: deps.say });
    throw error;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The data are thrown away also after a failure; what the processes had to say about it is not. */
function keepLogs(dataDir: string, options: { startedAt: Date; say: BenchDeps['say'] }): void {
  const logs = join(dataDir, 'logs');
  if (!existsSync(logs)) return;
  const kept = join(resultsFolder(), `${timeInName(options.startedAt)}-failed`);
  cpSync(logs, kept, { recursive: true });
  options.say(`the logs are kept in ${kept}`);
}

type Measured = Pick<BenchReport, 'data' | 'idleCores' | 'scenarios'>;

async function measureStack(
  args: BenchArguments,
  deps: BenchDeps & { dataDir: string },
): Promise<Measured> {
  const advisories = chooseAdvisories();
  deps.say('starting the stack');
  const stack = await startBenchStack({ ...deps, advisorySource: advisories.source });
  try {
    deps.signal.throwIfAborted();
    const connections = spareConnections + (args.clients ?? largestClients());
    const api = createApi({ ...stack, connections, signal: deps.signal });
    try {
      return await measureApi(args, { ...deps, api, stack, advisories: advisories.kind });
    } finally {
      api.close();
    }
  } finally {
    deps.say('stopping');
    await stack.stop();
  }
}

async function measureApi(
  args: BenchArguments,
  deps: BenchDeps & { api: Api; stack: BenchStack; advisories: DataDescription['advisories'] },
): Promise<Measured> {
  const { api, stack, signal, say } = deps;
  await untilReady(api, signal);
  const base = loadBaseDocument();
  say(`loading advisories (${deps.advisories}), checking the results of ${base.name}`);
  const reference = await establishReference({ api, base, signal });
  const processes = (): ReturnType<BenchStack['processes']> => stack.processes();
  const settle = (): Promise<boolean> => waitUntilQuiet(processes, signal);
  await settle();
  const idleCores = await coresUsed(processes(), { windowMs: idleWindowMs, signal });
  const sboms = createSbomMaker(base.document, base.bytes);
  const context = { api, sboms, reference, processes, settle, signal };
  const data = { ...describeBase(base), ...reference, advisories: deps.advisories };
  return { data, idleCores, scenarios: await runAll(args, context, say) };
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
    reports.push(await runScenario(scenario, context, { size, warmUpUploads, runs: args.runs }));
  }
  return reports;
}

async function untilReady(api: Api, signal: AbortSignal): Promise<void> {
  let status: string | undefined;
  await pollUntil(
    async () => {
      status = await api.readiness();
      return status === 'ready' ? status : undefined;
    },
    {
      pauseMs: 100,
      timeoutMs: readyTimeoutMs,
      signal,
      waitingFor: () => `/readyz says ${status ?? 'nothing'}`,
    },
  );
}

function describeBase(base: BaseDocument) {
  return {
    document: base.name,
    components: base.document.components.length,
    knownPairs: base.expected.pairs.length,
  };
}

function chosen(args: BenchArguments): readonly Scenario[] {
  const names = args.scenarios;
  return names === undefined ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}

function largestClients(): number {
  return Math.max(...scenarios.map(({ size }) => size.clients));
}
