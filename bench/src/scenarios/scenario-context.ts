import type { Transport } from '../transports/transport';
import type { Fleet } from '../fleet/fleet';
import type { ReleaseFleet } from '../fleet/release-fleet';
import type { Api } from '../load/api';
import type { ProcessRef } from '../measure/process-usage';
import type { SbomMaker } from '../sboms/variants';
import type { Reference } from '../verify/reference';

/** What a scenario works with. */
export interface ScenarioContext {
  api: Api;
  sboms: SbomMaker;
  reference: Reference;
  /** A further way in for uploads, closed by who opened it. */
  openTransport: (kind: 'proxy' | 'grpc', connections: number) => Promise<Transport>;
  /** Services that exist, at least so many; the same ones for every scenario of the stack. */
  fleetOf: (services: number) => Promise<Fleet>;
  /** The first so many services of one project that release new versions; of its own for each stack. */
  releaseFleetOf: (services: number) => Promise<ReleaseFleet>;
  /** Scans that the scanner has completed since its start, by its own count. */
  countScans: () => Promise<number>;
  /** The processes of the stack as they are now. */
  processes: () => readonly ProcessRef[];
  /** Bytes of all collections and indexes on disk. */
  storedBytes: () => Promise<number>;
  /** Waits until the stack has next to nothing left to do. */
  untilIdle: () => Promise<unknown>;
  signal: AbortSignal;
}
