import { ApiError } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT, usageError } from '../exit-codes';
import { projectId, serviceId, uuidShape } from '../gate/project-target';
import { cleanText, jsonText } from '../output/clean-text';
import { readExpiry } from '../settings/expiry';

export interface AcceptOptions {
  /** The id of a tracked vulnerability, or one like CVE-2021-44228. */
  vulnerability: string;
  reason: string;
  /** A duration from now, or an ISO 8601 time. */
  expires: string | undefined;
  json: boolean;
}

/**
 * Accepts the risk of a vulnerability in a project, or in one service if one is set. An existing acceptance in
 * this scope is not an error and stays unchanged.
 *
 * @throws CliError (usage) when the project has no such vulnerability, or it is in triage, which leaves it open
 */
export async function accept(context: Context, options: AcceptOptions): Promise<Outcome> {
  const { api, settings, print } = context;
  const expires_at = options.expires === undefined ? undefined : readExpiry(options.expires);
  const project_id = await projectId(api, settings.project);
  const service_id = settings.service && (await serviceId(api, project_id, settings.service));
  const vulnerability_id = await trackedId(context, project_id, options.vulnerability);
  const where = [settings.project, settings.service].filter(Boolean).join('/');
  try {
    const made = await api.accept({
      project_id,
      vulnerability_id,
      reason: options.reason,
      ...(service_id && { service_id }),
      ...(expires_at && { expires_at }),
    });
    if (options.json) print(jsonText(made));
    const until = made.expires_at ? ` until ${made.expires_at}` : '';
    return accepted(`${options.vulnerability} in ${where}${until}: acceptance ${made.id}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'acceptance_exists') throw error;
    const { cve_id } = await api.vulnerability(vulnerability_id);
    const scope = { project_id, ...(service_id && { service_id }) };
    const triage = await api.listActive({ ...scope, cve_id, decision: 'in_triage', per_page: 1 });
    if (triage.total > 0)
      throw usageError(
        `${options.vulnerability} in ${where} is in triage, which leaves it open. Change or delete that decision: bomtrail acceptances list`,
      );
    return accepted(`${options.vulnerability} in ${where}: already accepted, nothing was changed`);
  }
}

function accepted(text: string): Outcome {
  return { exitCode: EXIT.pass, line: cleanText(`ACCEPTED ${text}`) };
}

/** Any tracked vulnerability with this id will do: an acceptance applies to all its aliases and packages. */
async function trackedId({ api }: Context, project_id: string, named: string): Promise<string> {
  if (uuidShape.test(named)) return named;
  const found = await api.vulnerabilities({
    project_id,
    cve_id: named,
    status: 'open,fixed,accepted,not_affected,false_positive',
    per_page: 1,
  });
  const [row] = found.items;
  if (!row) throw usageError(`The project has no vulnerability "${named}".`);
  return row.id;
}
