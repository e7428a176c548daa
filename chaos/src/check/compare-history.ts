import type { Caller } from '../load/caller';
import type { DrivenProject } from '../load/driven-project';
import type { Witness } from '../witness';

interface HistoryPage {
  items: { id: string; service_name: string | null }[];
  has_more: boolean;
}

/** Every SBOM once, those of a service in the order of their uploads. */
export async function compareHistory(
  { caller, witness }: { caller: Pick<Caller, 'json'>; witness: Witness },
  project: DrivenProject,
): Promise<void> {
  const snapshot: HistoryPage['items'] = [];
  for (let page = 1, more = true; more; page++) {
    const path = `/api/v1/projects/${project.id}/history`;
    const answer = await caller.json<HistoryPage>({ path, query: { page, per_page: 200 } });
    if (!answer) return witness.differs('lost', `project ${project.name} (${project.id})`);
    snapshot.push(...answer.items);
    more = answer.has_more;
  }
  const { sboms } = project.model;
  const known = new Map(sboms.map(({ id, service }) => [id, service]));
  const counts = new Set<string>();
  for (const { id, service_name } of snapshot) {
    if (counts.has(id) || !known.has(id))
      witness.differs('double', `SBOM ${id} of ${project.name} ${service_name} is one too many`);
    counts.add(id);
  }
  for (const { id, service } of sboms)
    if (!counts.has(id)) witness.differs('lost', `SBOM ${id} of ${project.name} ${service}`);
  for (const service of new Set(known.values())) {
    const own = snapshot.filter(({ id }) => known.get(id) === service).map(({ id }) => id);
    const expected = sboms.filter((sbom) => sbom.service === service).map(({ id }) => id);
    // Newest first.
    if (own.length === expected.length && own.reverse().join() !== expected.join())
      witness.differs('differs', `the history of ${project.name} ${service} is in another order`);
  }
}
