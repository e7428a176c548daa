import type { Caller } from '../load/caller';
import type { DrivenProject } from '../load/driven-project';
import type { Witness } from '../witness';
import { lostFields } from './lost-fields';

/** Bodies of responses by what was asked. */
export type Snapshot = ReadonlyMap<string, unknown>;

const longestPage = 200;
const mostNamed = 5;

/** Reads everything about projects that nobody changes: SBOMs, findings, decisions, counts. */
export async function takeSnapshot(
  caller: Caller,
  projects: readonly DrivenProject[],
): Promise<Snapshot> {
  const bodies = new Map<string, unknown>();
  const read = async (path: string, query: Record<string, string | number> = {}): Promise<void> => {
    bodies.set(`${path} ${JSON.stringify(query)}`, await caller.json({ path, query }));
  };
  for (const { id, model } of projects) {
    const paged = { per_page: longestPage };
    await read(`/api/v1/projects/${id}`);
    await read(`/api/v1/projects/${id}/history`, paged);
    for (const list of ['', '/active', '/acceptances'])
      await read(`/api/v1/vulnerabilities${list}`, { project_id: id, ...paged });
    await read('/api/v1/vulnerabilities/summary', { project_id: id });
    for (const sbom of model.sboms) await read(`/api/v1/sboms/${sbom.id}`);
  }
  return bodies;
}

/** What a snapshot says and a later one does not is a difference. */
export function compareSnapshots(before: Snapshot, after: Snapshot, witness: Witness): void {
  for (const [asked, body] of before)
    for (const line of lostFields(body, after.get(asked)).slice(0, mostNamed))
      witness.differs('differs', `${asked} ${line}`);
}
