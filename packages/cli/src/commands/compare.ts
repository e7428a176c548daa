import { ApiError, type SbomDetail } from '@bomtrail/api-client';
import {
  compareFindings,
  type AdvisoryState,
  type Comparison,
  type Unevaluated,
} from '../compare/compare-findings';
import type { OtherResult } from '../compare/other-finding';
import { parseResult, readOtherResult } from '../compare/result-readers';
import type { Context, Outcome } from '../context';
import { EXIT, undecidedError, usageError } from '../exit-codes';
import { projectId, serviceId, uuidShape } from '../gate/project-target';
import { readDocument } from '../gate/read-document';
import { cleanText, counted, jsonText } from '../output/clean-text';
import { table } from '../output/table';

/** Larger results are refused: they are read into memory as a whole. */
const maxBytes = 256 * 1024 * 1024;
const maxFindings = 200_000;
/** Ids that are looked up in the advisories, one request each. */
const maxLookups = 500;
/** Other texts, such as `..`, would be another address of the API. */
const idShape = /^\w[\w.:-]{0,199}$/;
/** Rows of each table; JSON has all. */
const maxRows = 100;

export interface CompareOptions {
  /** The result of the other tool, or `-`. */
  file: string;
  /** Id of the SBOM; undefined: the newest one of the service. */
  sbom: string | undefined;
  input: AsyncIterable<Uint8Array>;
  json: boolean;
}

/**
 * Compares the findings of an SBOM with the result of another tool, and says why they differ. Ends with 0 if they do
 * not, with 1 if they do, with 4 if they do not as far as the result can be read; decided findings are no differences.
 *
 * @throws CliError: usage if the file is no result, undecided if the SBOM is not scanned; ApiError
 */
export async function compare(context: Context, options: CompareOptions): Promise<Outcome> {
  const { api, print } = context;
  const other = await readResult(options);
  const id = await sbomId(context, options.sbom);
  const detail = await api.sbom(id);
  if (detail.scan_status !== 'scanned')
    throw undecidedError(
      `SBOM ${id} is not scanned (${detail.scan_status}): bomtrail status ${id} --wait`,
    );
  if (detail.retained === false)
    throw undecidedError(`Retention has dropped the document of SBOM ${id}; name a newer one.`);
  const own = {
    findings: detail.vulnerabilities,
    components: detail.dependencies,
    unevaluated: await unevaluated(context, id),
  };
  const compared = await compareFindings(own, other.findings, advisoryStates(context));
  if (options.json) print(jsonText(jsonOf(compared, { other, detail })));
  else printTables(context, compared, other.tool);
  return outcomeOf(compared, { other, detail });
}

async function readResult({ file, input }: CompareOptions): Promise<OtherResult> {
  const { bytes } = await readDocument(file, input);
  if (bytes.length > maxBytes)
    throw usageError(`The result has more than ${maxBytes / 1024 ** 2} MiB; compare a part of it.`);
  const result = readOtherResult(parseResult(bytes));
  if (!result)
    throw usageError(
      'The file is no JSON result of grype, osv-scanner, trivy, Dependency-Track (findings) or DefectDojo (findings).',
    );
  if (result.findings.length > maxFindings)
    throw usageError(`The result has more than ${maxFindings} findings; compare a part of it.`);
  return result;
}

async function sbomId({ api, settings }: Context, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    if (!uuidShape.test(named)) throw usageError(`sbom: "${named}" is no id of an SBOM.`);
    return named;
  }
  if (!settings.service)
    throw usageError('Name the SBOM: give --sbom, or --project and --service.');
  const project = await projectId(api, settings.project);
  const service = await serviceId(api, project, settings.service);
  const found = (await api.listServices(project)).find(({ id }) => id === service);
  if (!found?.latest_sbom) throw usageError(`The service "${settings.service}" has no SBOM.`);
  return found.latest_sbom.id;
}

async function unevaluated({ api }: Context, id: string): Promise<Unevaluated[]> {
  const all: Unevaluated[] = [];
  for (let page = 1; ; page += 1) {
    const read = await api.coverage(id, { page });
    all.push(...read.items);
    if (!read.has_more) return all;
  }
}

/** What the loaded advisories say of ids; each id is asked about once, and at most `maxLookups`. */
function advisoryStates({ api }: Context): (ids: readonly string[]) => Promise<AdvisoryState> {
  const states = new Map<string, AdvisoryState>();
  const lookUp = async (id: string): Promise<AdvisoryState> => {
    if (!idShape.test(id)) return 'unknown';
    try {
      const { known, withdrawn } = await api.searchVulnerability(id, { per_page: 1 });
      return withdrawn ? 'withdrawn' : known ? 'known' : 'unknown';
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.code === 'advisory_not_found';
      if (!isUnknown) throw error;
      return 'unknown';
    }
  };
  return async (ids) => {
    let worst: AdvisoryState = 'unknown';
    for (const id of new Set(ids)) {
      const before = states.get(id);
      if (before === undefined && states.size >= maxLookups) return 'not_asked';
      const state = before ?? (await lookUp(id));
      states.set(id, state);
      if (state === 'known') return state;
      if (state === 'withdrawn') worst = state;
    }
    return worst;
  };
}

type Of = { other: OtherResult; detail: SbomDetail };

function jsonOf({ both, decided, missing, extra }: Comparison, { other, detail }: Of): object {
  return {
    tool: other.tool,
    unreadable: other.unreadable,
    sbom_id: detail.id,
    advisory_data: detail.advisory_data,
    both: both.map(({ otherId, ...one }) => ({ ...one, id_here: otherId ?? one.id })),
    decided,
    only_there: missing,
    only_here: extra,
  };
}

function printTables({ print }: Context, compared: Comparison, tool: string): void {
  const { missing, extra } = compared;
  for (const [title, rows] of [
    [`Only ${tool}`, missing],
    ['Only bomtrail', extra],
  ] as const) {
    if (rows.length === 0) continue;
    const shown = rows
      .slice(0, maxRows)
      .map(({ id, name, version, reason, detail }) => [id, name, version, reason, detail]);
    const head = ['Vulnerability', 'Package', 'Version', 'Reason', ''];
    print(`${title}:\n${table(head, shown)}\n`);
    if (rows.length > shown.length) print(`And ${rows.length - shown.length} more.\n`);
  }
}

function outcomeOf({ both, decided, missing, extra }: Comparison, { other, detail }: Of): Outcome {
  const renamed = both.filter(({ otherId }) => otherId !== null).length;
  const parts = [
    `${both.length} in both${renamed > 0 ? ` (${renamed} by another id)` : ''}`,
    `${decided.length} decided here`,
    `${missing.length} only there${reasonsOf(missing)}`,
    `${extra.length} only here${reasonsOf(extra)}`,
  ];
  if (other.unreadable > 0)
    parts.push(`${other.unreadable} there without an id or a package and not compared`);
  const data = detail.advisory_data === 'feed' ? '' : `; advisories: ${detail.advisory_data}`;
  const [word, exitCode] =
    missing.length + extra.length > 0
      ? ['DIFFERENT', EXIT.policy]
      : other.unreadable > 0
        ? ['UNDECIDED', EXIT.undecided]
        : ['SAME', EXIT.pass];
  const line = `${word} ${counted(other.findings.length, 'finding')} of ${other.tool} and SBOM ${detail.id}: ${parts.join(', ')}${data}`;
  return { exitCode, line: cleanText(line) };
}

/** ` (3 version_range, 1 package_unknown)`, the most frequent first. */
function reasonsOf(rows: readonly { reason: string }[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of rows) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].sort(([, a], [, b]) => b - a).map(([reason, n]) => `${n} ${reason}`);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}
