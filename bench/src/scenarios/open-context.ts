import { openGrpcTransport } from '../transports/grpc-transport';
import { openReverseProxy } from '../transports/reverse-proxy';
import { sumOf } from '../dataset/counters';
import { createFleet } from '../fleet/create-fleet';
import { createReleaseFleet } from '../fleet/release-fleet';
import type { Api } from '../load/api';
import { waitUntilQuiet } from '../measure/quiet';
import type { BaseDocument } from '../sboms/base-document';
import { createSbomMaker } from '../sboms/variants';
import type { BenchStack } from '../stack/bench-stack';
import { readStoredBytes } from '../stack/stack-database';
import { establishReference } from '../verify/reference';
import type { ScenarioContext } from './scenario-context';

const fleetClients = 16;

/** Makes sure that a stack gives the right answers, and what scenarios need to load it. */
export async function openContext(
  stack: BenchStack,
  deps: { api: Api; base: BaseDocument; signal: AbortSignal },
): Promise<ScenarioContext> {
  const { api, base, signal } = deps;
  const reference = await establishReference({ api, base, signal });
  const processes = (): ReturnType<BenchStack['processes']> => stack.processes();
  const sboms = createSbomMaker(base.document, base.bytes);
  const { baseUrl, apiKey, grpcPort: port } = stack;
  const fleetDeps = { api, sboms, reference, signal, clients: fleetClients };
  return {
    api,
    sboms,
    reference,
    processes,
    signal,
    storedBytes: () => readStoredBytes(stack.dataDir),
    untilIdle: () => waitUntilQuiet(processes, signal),
    fleetOf: createFleet(fleetDeps),
    releaseFleetOf: createReleaseFleet(fleetDeps),
    countScans: async () => sumOf(await stack.metrics('scanner'), 'bomtrail_scans_total'),
    openTransport: async (kind, connections) =>
      kind === 'grpc'
        ? openGrpcTransport({ port, apiKey, connections, signal })
        : openReverseProxy({ baseUrl, apiKey, signal }),
  };
}
