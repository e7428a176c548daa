import {
  builtServices,
  freePort,
  locateServers,
  repositoryRoot,
  serverCacheDir,
} from '@bomtrail/embedded';
import { connectGrpc } from '@bomtrail/reference-model';
import { endNodes, startMongodSet, startNatsCluster, type ClusterNode } from '@bomtrail/testkit';
import { createCaller, type Caller } from '../load/caller';
import type { LoadContext } from '../load/driven-project';
import { makeDataDir, openHarness, type Harness } from '../harness';
import type { Clusters } from './strikes';

/** Ways into the product: of each gateway both. */
export type Transport = Pick<LoadContext, 'grpc'> & { caller: Caller };

/** A stack on two clusters, with two gateways. */
export interface ClusterHarness extends Omit<Harness, 'close'> {
  clusters: Clusters;
  transports: readonly [Transport, Transport];
  close(keep: boolean): Promise<void>;
}

/** Servers of each kind. */
export const size = 3;
const secondGateway = 'gateway-2';

/** Starts three nats-servers, three mongods, the six services and another gateway. */
export async function openCluster(options: {
  env: Record<string, string>;
  say: (line: string) => void;
}): Promise<ClusterHarness> {
  const { say } = options;
  const dataDir = await makeDataDir();
  const started: ClusterNode[] = [];
  try {
    const binaries = await locateServers({ cacheDir: serverCacheDir(), say });
    const nats = await startNatsCluster({ binary: binaries.natsServer, dataDir, size });
    started.push(...nats.nodes);
    const mongod = await startMongodSet({ binary: binaries.mongod, dataDir, size });
    started.push(...mongod.nodes);
    say(`NATS at ${nats.url}, MongoDB at ${mongod.url}`);
    const [httpPort, grpcPort] = [await freePort(), await freePort()];
    const services = builtServices(repositoryRoot());
    const gateway = services.find(({ name }) => name === 'gateway');
    if (!gateway) throw new Error('the gateway is not among the services');
    const harness = await openHarness({
      say,
      dataDir,
      services: [...services, { ...gateway, name: secondGateway }],
      env: {
        ...options.env,
        MONGODB_URI: mongod.url,
        NATS_URL: nats.url,
        NATS_REPLICAS: String(size),
      },
      serviceEnv: {
        [secondGateway]: { HTTP_PORT: String(httpPort), GRPC_PORT: String(grpcPort) },
      },
    });
    const target = { ...harness.target, baseUrl: `http://127.0.0.1:${httpPort}` };
    const grpc = connectGrpc(grpcPort, harness.target.apiKey);
    return {
      ...harness,
      clusters: { nats, mongod },
      transports: [
        { caller: harness.caller, grpc: harness.context.grpc },
        { caller: createCaller(target, harness.witness), grpc },
      ],
      async close(keep) {
        grpc.close();
        await harness.close(true);
        await endNodes(started);
        if (!keep) await harness.discard();
      },
    };
  } catch (error) {
    await endNodes(started);
    throw error;
  }
}
