import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, type Target } from '@bomtrail/api-client';
import { documentOf } from '@bomtrail/reference-model';

const lanes = 8;
const pollMs = 100;

/** Small uploads, each of a service of its own, and what became of their scans. */
export interface UploadLoad {
  /** Uploads so many, some at once, and gives the ids that were answered with a 201; others are not repeated. */
  upload(count: number): Promise<string[]>;
  /** Those of the SBOMs that are not scanned after that time at most. */
  pendingAfter(ids: readonly string[], withinMs: number): Promise<string[]>;
}

export async function createUploadLoad(target: Target, name: string): Promise<UploadLoad> {
  const client = createApiClient(target);
  const { id: project_id } = await client.createProject({ name });
  let count = 0;

  async function uploadOne(): Promise<string[]> {
    count += 1;
    const service_name = `${name}-${count}`;
    const file = documentOf([`${service_name}@1.0.0`]);
    try {
      return [(await client.upload({ project_id, service_name, file })).id];
    } catch {
      return [];
    }
  }

  return {
    async upload(wanted) {
      const ids: string[] = [];
      let left = wanted;
      const lane = async (): Promise<void> => {
        while (left-- > 0) ids.push(...(await uploadOne()));
      };
      await Promise.all(Array.from({ length: Math.min(lanes, wanted) }, lane));
      return ids;
    },

    async pendingAfter(ids, withinMs) {
      const pending: string[] = [];
      const deadline = Date.now() + withinMs;
      const left = [...ids];
      const lane = async (): Promise<void> => {
        for (let id = left.shift(); id !== undefined; id = left.shift()) {
          const isScanned = async (): Promise<boolean> =>
            (await client.sbom(id).catch(() => undefined))?.scan_status === 'scanned';
          let done = await isScanned();
          while (!done && Date.now() < deadline) {
            await sleep(pollMs);
            done = await isScanned();
          }
          if (!done) pending.push(id);
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return pending;
    },
  };
}
