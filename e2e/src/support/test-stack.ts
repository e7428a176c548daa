import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApiClient, type ApiClient, type Target } from '@bomtrail/api-client';
import { keepAliveFetch, loadContract } from '@bomtrail/api-contract';
import { startStack, type Stack, type StackOptions } from '@bomtrail/embedded';
import { parseReplicas, replicate } from './replicas';
import { secretsInLogs } from './secrets-in-logs';

/** The whole product as built, on a temporary folder and free ports. */
export interface TestStack {
  stack: Stack;
  /**
   * Where the calls go. Every answer is held to the contract: one that breaks it is thrown, here and
   * again by `stop`.
   */
  target: Target & { fetch: typeof fetch };
  client: ApiClient;
  dataDir: string;
  /** Ends it all. @throws Error when an answer broke the contract, or a log line holds a secret */
  stop(): Promise<void>;
}

/**
 * @param env settings of the services beside those that the stack gives; they log all they can unless
 * it says otherwise
 * @param serviceEnv settings of one service alone, by its name
 * @param services what runs; when omitted one process of each service, or as many as
 * `BOMTRAIL_TEST_REPLICAS` says (`gateway=2,scanner=4`), behind one address
 * @param proxied whether the proxy and the host's metrics stand in front; by default the gateway alone
 * @param dataDir a folder that is kept; a temporary one that is removed at the end when omitted
 */
export async function startTestStack(options: {
  env?: Record<string, string>;
  serviceEnv?: Readonly<Record<string, Record<string, string>>>;
  dataDir?: string;
  services?: StackOptions['services'];
  proxied?: boolean;
  say?: (line: string) => void;
}): Promise<TestStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-')));
  const replicated = await replicate(parseReplicas(process.env['BOMTRAIL_TEST_REPLICAS'] ?? ''));
  const started = await startStack({
    dataDir,
    services: options.services ?? replicated.services,
    proxied: options.proxied ?? false,
    httpPort: 0,
    // The tests send more wrong keys than one address may.
    env: { LOG_LEVEL: 'trace', FAILED_KEYS_PER_MINUTE: '0', ...options.env },
    envAtStart: (service) => ({
      ...options.serviceEnv?.[service.replace(/-\d$/, '')],
      ...replicated.envOf(service),
    }),
    say: options.say ?? (() => {}),
  });
  const stack = await replicated.inFront(started);
  const agent = keepAliveFetch(loadContract());
  const target = { baseUrl: stack.baseUrl, apiKey: stack.apiKey, fetch: agent.fetch };
  return {
    stack,
    target,
    client: createApiClient(target),
    dataDir,
    async stop() {
      await stack.stop();
      const secrets = secretsInLogs(dataDir);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      if (agent.breaches.length > 0) throw new Error(agent.breaches.join('\n'));
      if (secrets.length > 0) throw new Error(`Secrets in the logs:\n${secrets.join('\n')}`);
    },
  };
}
