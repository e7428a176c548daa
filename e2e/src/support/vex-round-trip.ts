import { send, sendForJson, waitForScan, type VexFormat } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import type { TestStack } from './test-stack';

const scanMs = 30_000;

/** What is decided about one vulnerability; `kind` `none`: nothing. */
export interface Decided {
  kind: string;
  justification: string | null;
}

/** Kind and justification by `id package`. */
export type DecisionsByRow = Record<string, Decided>;

/** A project with the SBOMs given, by version, of one service. */
export async function projectOf(
  { client }: TestStack,
  { name, sboms }: { name: string; sboms: readonly Uint8Array[] },
): Promise<{ id: string; sboms: string[] }> {
  const { id } = await client.createProject({ name });
  const ids: string[] = [];
  for (const [index, file] of sboms.entries()) {
    const upload = { project_id: id, service_name: 'shop', version: String(index + 1), file };
    const stored = await client.upload(upload);
    await waitForScan(client, stored.id, scanMs);
    ids.push(stored.id);
  }
  return { id, sboms: ids };
}

const keyOf = (row: { cve_id: string; package_name: string }): string =>
  `${row.cve_id} ${row.package_name}`;

/** Makes the decisions, one for each vulnerability of the project in order; what is left stays undecided. */
export async function decideEach(
  { client, target }: TestStack,
  { project_id, decisions }: { project_id: string; decisions: readonly Decided[] },
): Promise<void> {
  const rows = await client.allActive({ project_id });
  rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (const [index, { kind, justification }] of decisions.entries()) {
    const vulnerability_id = rows[index]?.id;
    if (vulnerability_id === undefined) throw new Error(`Only ${rows.length} vulnerabilities.`);
    await sendForJson(target, {
      method: 'POST',
      path: '/api/v1/vulnerabilities/acceptances',
      body: {
        project_id,
        vulnerability_id,
        reason: `Reason ${index}.`,
        decision: kind,
        ...(justification && { justification }),
      },
    });
  }
}

/** What is decided about each vulnerability of a project, and which of them are in the active list. */
export async function decisionsIn(
  { client }: TestStack,
  project_id: string,
): Promise<{ decided: DecisionsByRow; active: string[] }> {
  const all = await client.vulnerabilities({
    project_id,
    status: 'open,accepted,not_affected,false_positive',
    per_page: 200,
  });
  const made = await client.listAcceptances(project_id, { page: 1, per_page: 200 });
  const byId = new Map(made.items.map((one) => [one.id, one]));
  const decided: DecisionsByRow = {};
  for (const row of all.items) {
    const decision = row.decision && byId.get(row.decision.acceptance_id);
    const justification = decision?.justification ?? null;
    decided[keyOf(row)] = { kind: row.decision?.decision ?? 'none', justification };
  }
  const active = (await client.allActive({ project_id })).map(keyOf).sort();
  return { decided, active };
}

/** The exported document, as text. */
export async function exported(
  { target }: TestStack,
  project_id: string,
  query: { format: VexFormat; sbom_id?: string },
): Promise<string> {
  const response = await send(target, { path: `/api/v1/projects/${project_id}/vex`, query });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return response.text();
}

/** Imports a document and waits until every service of the project is evaluated. */
export async function imported(
  { client }: TestStack,
  project_id: string,
  document: string,
): Promise<void> {
  const { id } = await client.importVex(Buffer.from(document), project_id);
  await eventually(async () => (await client.vexDocument(id)).pending_services === 0, {
    what: 'the document is applied',
  });
}
