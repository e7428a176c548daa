import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractCheckingFetch, loadContract, type Contract } from '@bomtrail/api-contract';
import { startService } from '@bomtrail/service-runtime';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
  serviceSettings,
} from '@bomtrail/testkit';
import { MongoClient, type Collection } from 'mongodb';
import { compose, type Parts } from '../compose';
import { settings } from '../config';
import type { ApiKeyDocument } from '../api-keys/store/api-keys-store';

export const bootstrapKey = `bt_bootstrap000_${'s'.repeat(43)}`;

/** A gateway with real servers; what lies behind it is played by the test over `bus`. */
export interface TestGateway {
  port: number;
  grpcPort: number;
  contract: Contract;
  servers: TestServers;
  bus: TestBus;
  keys: Collection<ApiKeyDocument>;
  /** Log lines at level error. */
  errors: Record<string, unknown>[];
  /** Names of the files in the gateway's temporary folder. */
  tempFiles(): Promise<string[]>;
  /**
   * Sends a request with the bootstrap key, unless `headers` say another. An answer that breaks the
   * contract is thrown, here and again by `stop`.
   */
  call(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Stops the gateway alone. */
  stopService(): Promise<void>;
  stop(): Promise<void>;
}

export async function startGateway(
  own: Record<string, string | number> = {},
  other: Parts = {},
): Promise<TestGateway> {
  const contract = other.contract ?? loadContract();
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const errors: Record<string, unknown>[] = [];
  let port = 0;
  let grpcPort = 0;
  const service = await startService(
    {
      name: 'gateway',
      settings,
      compose: (kit, given) => {
        const child = kit.log.child({}, { level: 'error' });
        const log = Object.assign(child, {
          error: (fields: object, message: string) => errors.push({ ...fields, message }),
        });
        const composition = compose({ ...kit, log }, given, other);
        const open = async () => {
          const server = await composition.open();
          ({ port, grpcPort } = server);
          return server;
        };
        return { ...composition, open };
      },
    },
    settings.parse({
      ...serviceSettings(servers),
      HTTP_PORT: 0,
      GRPC_PORT: 0,
      HTTP_HOST: '127.0.0.1',
      BOMTRAIL_BOOTSTRAP_API_KEY: bootstrapKey,
      BOMTRAIL_TEMP_DIR: folder,
      ...own,
    }),
  );
  const checked = contractCheckingFetch(contract);
  let stopped: Promise<void> | null = null;
  const stopService = () => (stopped ??= service.stop());
  const mongo = await new MongoClient(servers.mongoUri).connect();
  return {
    port,
    grpcPort,
    contract,
    servers,
    bus,
    keys: mongo.db(`${servers.prefix}gateway`).collection<ApiKeyDocument>('api_keys'),
    errors,
    tempFiles: () => readdir(folder),
    call: (method, path, init = {}) =>
      checked.fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        method,
        headers: { authorization: `Bearer ${bootstrapKey}`, ...init.headers },
      }),
    stopService,
    async stop() {
      await stopService();
      await bus.close();
      await mongo.close();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
      if (checked.violations.length > 0) throw new Error(checked.violations.join('\n'));
    },
  };
}
