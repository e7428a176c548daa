import { createCaller } from '../load/caller';
import { componentsOf, type LoadContext } from '../load/driven-project';
import { createDriver, type Driver } from '../load/driver';
import { take } from '../load/upload';
import type { ClusterHarness } from './open-cluster';

/** Uploads one long document at a time, and knows how it was answered. */
export interface Probe extends Pick<Driver, 'projects'> {
  /** Begins an upload, and goes on until it is accepted. */
  begin(): Probing;
}

export interface Probing {
  /** Why it had to be sent again so far. */
  readonly responses: readonly string[];
  isAccepted(): boolean;
  readonly done: Promise<void>;
}

/** @param context all but the project */
export async function createProbe(
  harness: ClusterHarness,
  context: Omit<LoadContext, 'project'>,
): Promise<Probe> {
  let responses: string[] = [];
  const witness = {
    ...harness.witness,
    repeated(reason: string) {
      responses.push(reason);
      harness.witness.repeated(reason);
    },
  };
  const caller = createCaller(harness.target, witness);
  const driver = await createDriver({ ...context, caller }, 'probe-');
  return {
    // It begins new ones.
    get projects() {
      return driver.projects;
    },
    begin() {
      const mine: string[] = [];
      responses = mine;
      let isAccepted = false;
      const done = driver.act(uploadLong).then(() => {
        isAccepted = true;
      });
      // A later `await` throws its failure.
      done.catch(() => undefined);
      return { responses: mine, isAccepted: () => isAccepted, done };
    },
  };
}

/** A document that does not fit into a message. */
async function uploadLong(context: LoadContext): Promise<void> {
  const components = componentsOf(context.project);
  const document = context.document(components, context.draw, true).toString();
  const content = `1.0\n${document}`;
  await take(context, { service: 'shop', components, content, overGrpc: false });
}
