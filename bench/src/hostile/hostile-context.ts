import type { Api } from '../load/api';
import type { SbomMaker } from '../sboms/variants';
import type { BenchStack } from '../stack/bench-stack';
import type { Transports } from './hostile-input';

/** What sending an input and watching it takes. */
export interface HostileContext {
  stack: BenchStack;
  api: Api;
  transports: Transports;
  /** A project in which others upload. */
  otherProjectId: string;
  /** Makes the normal upload after each input. */
  maker: SbomMaker;
  /** Where the gateway tells that its loop came late. */
  probeFile: string;
  signal: AbortSignal;
  say: (line: string) => void;
}
