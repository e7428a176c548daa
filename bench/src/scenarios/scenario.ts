import type { RunMeasurement } from './measure-run';
import type { ScenarioContext } from './scenario-context';

/** How much of it: at most 2,000 uploads and 256 clients. */
export interface RunSize {
  uploads: number;
  clients: number;
}

/** A load with a name. */
export interface Scenario {
  readonly name: string;
  /** One line for the help and the table. */
  readonly description: string;
  readonly size: RunSize;
  /** 1 for what is by its nature one at a time. */
  readonly maxClients?: number;
  /** 1 for what is about a single document. */
  readonly mostUploads?: number;
  readonly warmUpUploads: number;
}

/**
 * A scenario on the stack that all of these share. `run` puts `uploads` SBOMs into it, checks the answers,
 * and gives what it measured; it fails with a `BenchFailure` when anything was answered wrongly. The
 * warm-up is a run whose figures are thrown away.
 */
export interface SharedScenario extends Scenario {
  run(context: ScenarioContext, size: RunSize): Promise<RunMeasurement>;
}
