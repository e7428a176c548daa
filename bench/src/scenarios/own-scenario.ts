import type { BaseDocument } from '../sboms/base-document';
import type { AdvisoryChoice } from '../stack/advisories';
import type { RunMeasurement } from './measure-run';
import type { Repetition } from './run-scenario';
import type { Scenario } from './scenario';

/** What a scenario gets that starts its stacks itself. */
export interface OwnBench {
  /** Empty, and removed afterwards. */
  folder: string;
  advisories: AdvisoryChoice;
  base: BaseDocument;
  /** Only whether it works is wanted. */
  isSmoke: boolean;
  signal: AbortSignal;
  say: (line: string) => void;
}

/** A scenario that needs a stack of its own, or several; no other stack runs meanwhile. */
export interface OwnScenario extends Scenario {
  measure(bench: OwnBench, repetition: Repetition): Promise<RunMeasurement[]>;
}
