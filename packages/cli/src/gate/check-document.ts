import type { BriefVulnerability, SbomCheck, SbomVerdict } from '@bomtrail/api-client';
import type { Context } from '../context';
import { applyIgnores } from '../ignores/apply-ignores';
import type { DocumentReport } from '../output/document-report';
import { gateQuery, type Gate } from './await-verdict';
import { evaluateVerdict, notingIgnored } from './evaluate-verdict';
import { gatesWithoutFindings } from './judge-sbom';
import type { ProjectTarget } from './project-target';
import type { SbomFile } from './read-document';

/** A document to check. */
export interface Checking {
  file: SbomFile;
  /** Undefined: it is compared with nothing. */
  target: ProjectTarget | undefined;
  service: string | undefined;
  version: string | undefined;
}

/**
 * Judges a document without storing it, and reports like an upload.
 *
 * @throws ApiError, CliError
 */
export async function checkDocument(
  { api, settings, now, setInterruptMessage }: Context,
  { file, target, service, version }: Checking,
): Promise<DocumentReport> {
  setInterruptMessage('A check was in progress; it stores nothing.');
  const send = (gate: Gate): Promise<SbomCheck> =>
    api.check(
      {
        ...target,
        file: file.packed,
        ...(service !== undefined && { service_name: service }),
        ...(version !== undefined && { version }),
      },
      gateQuery(gate),
    );
  const gate: Gate = settings;
  const checked = await send(gate);
  const vulnerabilities = checked.vulnerabilities.map(listed);
  const found = { service_name: checked.service_name, vulnerabilities };
  const findings = async () => found;
  const { verdict, ignored } = await applyIgnores(verdictOf(checked), {
    entries: settings.ignores,
    now: now(),
    findings,
    withoutFindings: () =>
      Promise.all(gatesWithoutFindings(gate).map(async (one) => verdictOf(await send(one)))),
  });
  const what = checkName({ file, service: checked.service_name ?? undefined, version }, settings);
  const judgement = notingIgnored(evaluateVerdict(verdict, what, settings.failOn), ignored.size);
  const judged = { verdict, judgement, ignored };
  return { what, stored: null, file, judged, outcome: judgement, findings };
}

/** Name of a checked document in reports. */
export function checkName(
  { file, service, version }: Pick<Checking, 'service' | 'version'> & { file: { name: string } },
  { project }: { project: string | undefined },
): string {
  const where = [project, service].filter((one) => !!one).join('/');
  const name = where || (file.name === '-' ? 'standard input' : file.name);
  return `${name} ${version ?? '(not stored)'}`;
}

/** The verdict as of a stored SBOM, but without the ids of one. */
function verdictOf(checked: SbomCheck): SbomVerdict {
  const { vulnerabilities: _all, failing, project_id, ...rest } = checked;
  const verdict: Omit<SbomVerdict, 'sbom_id' | 'project_id'> = {
    ...rest,
    ...(project_id !== null && { project_id }),
    scan_status: 'scanned' as const,
    failing: failing.map((row) => ({
      ...listed(row),
      is_new: row.is_new,
      failed_rules: row.failed_rules,
    })),
  };
  return verdict as SbomVerdict;
}

/** A finding as of a stored SBOM. What the service does not track has a name instead of an id, stable over checks. */
function listed(row: SbomCheck['vulnerabilities'][number]): BriefVulnerability {
  const { id, title, is_new: _new, failed_rules: _rules, ...rest } = row;
  return {
    ...rest,
    id: id ?? `${row.cve_id} ${row.ecosystem} ${row.package_name}`,
    ...(title !== null && { title }),
  };
}
