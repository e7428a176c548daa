import type { Api } from '../load/api';
import type { ProcessRef } from '../measure/process-usage';
import type { SbomMaker } from '../sboms/variants';
import type { Reference } from '../verify/reference';
import type { RunMeasurement } from './measure-run';

/** What a scenario works with. */
export interface ScenarioContext {
  api: Api;
  sboms: SbomMaker;
  reference: Reference;
  /** The processes of the stack as they are now. */
  processes: () => readonly ProcessRef[];
  /** Waits until the stack has next to nothing left to do. */
  settle: () => Promise<unknown>;
  signal: AbortSignal;
}

/** How much of it: at most 2,000 uploads and 256 clients. */
export interface RunSize {
  uploads: number;
  clients: number;
}

/**
 * A load with a name. `run` puts `uploads` SBOMs into a new project, checks the answers, and gives what it
 * measured; it fails with a `BenchFailure` when anything was answered wrongly. The warm-up is a run whose
 * figures are thrown away.
 */
export interface Scenario {
  readonly name: string;
  /** One line for the help and the table. */
  readonly description: string;
  readonly size: RunSize;
  /** 1 for what is by its nature one at a time. */
  readonly maxClients?: number;
  readonly warmUpUploads: number;
  run(context: ScenarioContext, size: RunSize): Promise<RunMeasurement>;
}
