import { spreadOf, type Spread } from '../measure/statistics';
import { judgeAims, type JudgedAim } from '../report/aims';
import { figureNames, type FigureName } from '../report/figures';
import type { RunMeasurement } from './measure-run';
import type { RunSize, Scenario, SharedScenario } from './scenario';
import type { ScenarioContext } from './scenario-context';

/** All runs of one scenario. */
export interface ScenarioReport {
  name: string;
  description: string;
  size: RunSize;
  warmUpUploads: number;
  summary: Partial<Record<FigureName, Spread>>;
  aims: JudgedAim[];
  processes: ProcessSummary[];
  runs: RunMeasurement[];
}

export interface ProcessSummary {
  name: string;
  cpuSecondsPerSbom: Spread;
  /** At the end of each run. */
  rssBytes: Spread;
  /** The most in any of the runs. */
  peakRssBytes: number;
  writtenBytesPerSbom: Spread;
}

export interface Repetition {
  size: RunSize;
  warmUpUploads: number;
  runs: number;
}

/** Warms up and runs a scenario `runs` times. */
export async function runScenario(
  scenario: SharedScenario,
  context: ScenarioContext,
  repetition: Repetition,
): Promise<RunMeasurement[]> {
  const { size, warmUpUploads } = repetition;
  if (warmUpUploads > 0) await scenario.run(context, { ...size, uploads: warmUpUploads });
  const runs: RunMeasurement[] = [];
  for (let run = 0; run < repetition.runs; run += 1) {
    runs.push(await scenario.run(context, size));
  }
  return runs;
}

/** The runs of a scenario with their spread, and which of its aims they reach. */
export function reportScenario(
  { name, description }: Scenario,
  { size, warmUpUploads }: Repetition,
  runs: RunMeasurement[],
): ScenarioReport {
  const summary = summariseFigures(runs);
  return {
    name,
    description,
    size,
    warmUpUploads,
    summary,
    aims: judgeAims(name, summary),
    processes: summariseProcesses(runs),
    runs,
  };
}

function summariseFigures(runs: readonly RunMeasurement[]): Partial<Record<FigureName, Spread>> {
  const summary: Partial<Record<FigureName, Spread>> = {};
  for (const name of figureNames) {
    const values = runs.flatMap(({ figures }) => figures[name] ?? []);
    if (values.length > 0) summary[name] = spreadOf(values);
  }
  return summary;
}

function summariseProcesses(runs: readonly RunMeasurement[]): ProcessSummary[] {
  const names = runs[0]?.processes.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const costs = runs.flatMap(({ processes, uploads }) =>
      processes.filter((cost) => cost.name === name).map((cost) => ({ ...cost, uploads })),
    );
    return {
      name,
      cpuSecondsPerSbom: spreadOf(costs.map((cost) => cost.cpuSeconds / cost.uploads)),
      rssBytes: spreadOf(costs.map((cost) => cost.rssBytes)),
      peakRssBytes: Math.max(...costs.map((cost) => cost.peakRssBytes)),
      writtenBytesPerSbom: spreadOf(costs.map((cost) => cost.writtenBytes / cost.uploads)),
    };
  });
}
