import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Target } from '@bomtrail/api-client';
import { connectGrpc, makeAdvisoryFolder, mongoUriOf } from '@bomtrail/reference-model';
import { startChaosStack, type ChaosStack } from './chaos-stack';
import { createCaller, type Caller } from './load/caller';
import { createDocuments } from './load/documents';
import type { LoadContext } from './load/driven-project';
import { createWitness, type Witness } from './witness';

/** A stack, clients of it, and what they have seen. */
export interface Harness {
  chaos: ChaosStack;
  target: Target;
  caller: Caller;
  witness: Witness;
  /** What drivers need besides their draws and projects. */
  context: Omit<LoadContext, 'project' | 'draw'>;
  dataDir: string;
  mongoUri: string;
  say: (line: string) => void;
  /** Ends everything. @param keep leaves data and logs where they are */
  close(keep: boolean): Promise<void>;
  /** Removes data and logs after `close`. */
  discard(): Promise<void>;
}

/** Where everything of a run lies. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'bomtrail-chaos-'));
}

/** Starts a stack on a temporary folder with a feed of its own. */
export async function openHarness(
  options: Pick<Parameters<typeof startChaosStack>[0], 'services' | 'serviceEnv' | 'say'> & {
    env?: Record<string, string>;
    /** Removed at the end unless it is kept; a new one by default. */
    dataDir?: string;
  },
): Promise<Harness> {
  const { say, services, serviceEnv } = options;
  const dataDir = options.dataDir ?? (await makeDataDir());
  const folder = await makeAdvisoryFolder();
  await folder.put({
    id: 'GHSA-first',
    aliases: [],
    affects: ['none@1.0.0'],
    severity: 'medium',
    withdrawn: false,
  });
  const chaos = await startChaosStack({
    dataDir,
    advisories: folder.path,
    env: options.env ?? {},
    services,
    serviceEnv,
    // The log files have it all.
    say: () => {},
  });
  const { baseUrl, apiKey, grpcPort } = chaos.stack;
  const witness = createWitness(say);
  const target = { baseUrl, apiKey };
  const caller = createCaller(target, witness);
  const grpc = connectGrpc(grpcPort, apiKey);
  const discard = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  return {
    chaos,
    target,
    caller,
    witness,
    dataDir,
    say,
    context: { caller, grpc, folder, witness, document: createDocuments() },
    mongoUri: mongoUriOf(dataDir),
    async close(keep) {
      grpc.close();
      await chaos.stack.stop();
      await folder.discard();
      if (!keep) await discard();
    },
    discard,
  };
}
