import { ApiError, type SbomVerdict } from '@bomtrail/api-client';
import type { Context } from '../context';
import { applyIgnores } from '../ignores/apply-ignores';
import type { Findings } from '../output/document-report';
import { awaitVerdict, type Gate, type VerdictQuery } from './await-verdict';
import { evaluateVerdict, notingIgnored } from './evaluate-verdict';
import type { Judged } from './judged';

/** A stored SBOM to judge. */
export interface ToJudge {
  sbomId: string;
  /** Display name; default: project, service and version. */
  what?: string;
  /** Maximum wait for the scan, in milliseconds. */
  waitMs: number;
  findings: () => Promise<Findings>;
}

/**
 * Reads the verdict of a stored SBOM, without the findings that the project file ignores.
 *
 * @throws ApiError, CliError
 */
export async function judgeSbom(
  { api, settings, now }: Pick<Context, 'api' | 'settings' | 'now'>,
  { sbomId, what, waitMs, findings }: ToJudge,
): Promise<Judged & { what: string }> {
  const query: VerdictQuery = { ...settings, sbomId, withinMs: waitMs };
  const { verdict, ignored } = await applyIgnores(await awaitVerdict(api, query), {
    entries: settings.ignores,
    now: now(),
    findings,
    withoutFindings: () =>
      Promise.all(gatesWithoutFindings(query).map((gate) => awaitVerdict(api, gate))),
  });
  const name = what ?? (await nameOf(api, verdict));
  const judgement = notingIgnored(evaluateVerdict(verdict, name, settings.failOn), ignored.size);
  return { what: name, verdict, judgement, ignored };
}

/** Like the name that an upload has. A key with the scope `upload` alone cannot read the project's name. */
async function nameOf(api: Context['api'], verdict: SbomVerdict): Promise<string> {
  const project = await api.project(verdict.project_id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return null;
    throw error;
  });
  const where = [project?.slug, verdict.service_name].filter((one) => !!one).join('/');
  return `${where || 'project'} ${verdict.version ?? '(no version)'}`;
}

/**
 * Gates that fail only by what the whole gate fails by as well: one that no severity and no EPSS score can fail, and
 * with `--fail-on-kev` one by that rule alone. A gate that fails by a feed's values proves that the feed is loaded.
 */
export function gatesWithoutFindings<Query extends Gate>(query: Query): Query[] {
  const { maxEpss } = query;
  const none = { ...query, failOn: 'none' as const, failOnKev: false, maxEpss: undefined };
  return [
    { ...none, maxEpss: maxEpss === undefined ? undefined : 1 },
    ...(query.failOnKev ? [{ ...none, failOnKev: true }] : []),
  ];
}

/** The findings of a stored SBOM; requested once. */
export function findingsOf(api: Context['api'], sbomId: string): () => Promise<Findings> {
  let reading: Promise<Findings> | undefined;
  return () => (reading ??= api.sbom(sbomId));
}
