import type { Api } from '../load/api';
import type { ProcessRef } from '../measure/process-usage';
import type { SbomMaker } from '../sboms/variants';
import type { Reference } from '../verify/reference';

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
