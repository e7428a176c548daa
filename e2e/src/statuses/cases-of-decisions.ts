import type { Harness } from './harness';
import type { StatusCase } from './status-case';

const bulk = '/api/v1/vulnerabilities/acceptances/bulk';
const everywhere = '/api/v1/vulnerabilities/acceptances/global';

/** A bulk decision about nothing, in a project of its own. */
async function newBulk({ stack: { client }, newProject }: Harness): Promise<string> {
  const { id: project_id } = await newProject();
  const body = { project_id, filter: {}, reason: 'r' };
  return (await client.send<{ id: string }>({ method: 'POST', path: bulk, body })).id;
}

/** A decision for all projects, which the case that deletes it ends. */
async function newGlobal({ stack: { client }, vulnerabilityId }: Harness): Promise<string> {
  const body = { vulnerability_id: vulnerabilityId, reason: 'r', decision: 'in_triage' };
  return (await client.send<{ id: string }>({ method: 'POST', path: everywhere, body })).id;
}
