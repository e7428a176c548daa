import { ApiError, waitForScan, type ApiClient } from '@bomtrail/api-client';
import { explainedErrors, type ExplainedDifference } from './explained';
import type { ExploitedAdvisories } from './exploited-advisories';
import type { RealData } from './real-data';

/** How one document's matches stand to the expected ones. */
export interface Comparison {
  document: string;
  refused: string | null;
  components: number;
  /** Components that could not be judged. */
  undetermined: number;
  expected: number;
  found: number;
  /** Not explained. */
  missed: string[];
  /** Not explained. */
  extra: string[];
  explained: number;
  /** Explained differences that there are not. */
  outdated: string[];
  /** Expected pairs whose advisory names a CVE of CISA's catalogue. */
  exploited: number;
  /** Of these, those that the API does not show as known exploited, and the other way round. */
  notExploited: string[];
  wronglyExploited: string[];
  /** Detail, active list and summary disagree, or the gate of known exploited vulnerabilities with them. */
  disagreement: string | null;
}

/** The first documents wait for the feeds of their ecosystems. */
const scanWithinMs = 300_000;

/** Uploads one document to a service of its own and compares what the API says with the expectation. */
export async function compareDocument(
  deps: {
    client: ApiClient;
    data: RealData;
    explained: readonly ExplainedDifference[];
    exploited: ExploitedAdvisories;
  },
  document: string,
  project_id: string,
): Promise<Comparison> {
  const { client, data } = deps;
  const expected = data.expected(document);
  const explained = deps.explained.filter((row) => row.document === document);
  const base = { document, expected: expected.size, disagreement: null };
  const file = data.read(document);
  let uploaded;
  try {
    uploaded = await client.upload({ project_id, file, version: '1', service_name: document });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const nothing = {
      components: 0,
      undetermined: 0,
      found: 0,
      missed: [],
      extra: [],
      explained: 0,
      outdated: [],
      exploited: 0,
      notExploited: [],
      wronglyExploited: [],
    };
    return { ...base, ...nothing, refused: error.message };
  }
  const detail = await waitForScan(client, uploaded.id, scanWithinMs);
  const found = new Set(detail.vulnerabilities.flatMap(pairsOf));
  const shown = new Set(detail.vulnerabilities.filter(({ kev }) => kev !== null).flatMap(pairsOf));
  const { named, grouped } = deps.exploited;
  const isIn = (ids: ReadonlySet<string>) => (pair: string) => ids.has(pair.split('\t')[1] ?? '');
  const exploited = [...expected].filter(isIn(named));
  const missing = [...expected].filter((pair) => !found.has(pair));
  const surplus = [...found].filter((pair) => !expected.has(pair) && !isOfModule(pair, expected));
  const isAffected = (row: ExplainedDifference): boolean => row.ours === 'affected';
  const explainedMisses = explained.filter((row) => !isAffected(row)).map(pairOf);
  const explainedExtras = explained.filter(isAffected).map(pairOf);
  const { coverage } = detail;
  return {
    ...base,
    refused: null,
    components: detail.dependency_count ?? 0,
    undetermined: (coverage?.components ?? 0) - (coverage?.evaluated ?? 0),
    found: found.size,
    missed: missing.filter((pair) => !explainedMisses.includes(pair)),
    extra: surplus.filter((pair) => !explainedExtras.includes(pair)),
    explained: [...missing, ...surplus].filter((pair) =>
      [...explainedMisses, ...explainedExtras].includes(pair),
    ).length,
    outdated: [
      ...explainedMisses.filter((pair) => !missing.includes(pair)),
      ...explainedExtras.filter((pair) => !surplus.includes(pair)),
    ],
    exploited: exploited.length,
    notExploited: exploited.filter((pair) => !shown.has(pair)),
    wronglyExploited: [...shown].filter((pair) => !isIn(grouped)(pair)),
    disagreement:
      (await disagreementOf(client, detail)) ??
      (await gateDisagreement(client, uploaded.id, shown.size > 0)),
  };
}

type Detail = Awaited<ReturnType<typeof waitForScan>>;

function pairsOf(record: Detail['vulnerabilities'][number]): string[] {
  return (record.occurrences ?? [record]).flatMap(({ purl, advisory_ids }) =>
    advisory_ids.map((advisory) => `${purl}\t${advisory}`),
  );
}

/** A gate that fails on known exploited vulnerabilities alone fails where there are any, and nowhere else. */
async function gateDisagreement(
  client: ApiClient,
  id: string,
  isExploited: boolean,
): Promise<string | null> {
  const { verdict } = await client.verdict(id, { fail_on: 'none', fail_on_kev: 'true' });
  return (verdict === 'fail') === isExploited ? null : `fail_on_kev: ${verdict}`;
}

/**
 * Is this a pair of a Go package whose module the document lists, too? The expectation names the module
 * alone, and both are one tracked vulnerability (rule M46).
 */
function isOfModule(pair: string, expected: ReadonlySet<string>): boolean {
  const [, path = '', version, advisory] =
    /^pkg:golang\/([^@]+)@([^?]+)\?type=package\t(.+)$/.exec(pair) ?? [];
  return path.split('/').some((_, at, parts) => {
    const module = parts.slice(0, at).join('/');
    return expected.has(`pkg:golang/${module}@${version}?type=module\t${advisory}`);
  });
}

function pairOf({ purl, advisory }: ExplainedDifference): string {
  return `${purl}\t${advisory}`;
}

/** The detail's vulnerabilities, the active list and the summary tell of the same rows. */
async function disagreementOf(
  client: ApiClient,
  detail: { service_id?: string | null; vulnerabilities: { id: string; status: string }[] },
): Promise<string | null> {
  if (!detail.service_id) return 'the SBOM has no service';
  const scope = { service_id: detail.service_id };
  const [active, summary] = await Promise.all([client.allActive(scope), client.summary(scope)]);
  const inDetail = new Set(
    detail.vulnerabilities.filter(({ status }) => status === 'open').map(({ id }) => id),
  );
  const inList = new Set(active.map(({ id }) => id));
  if (inList.size !== active.length) return 'the active list names a row twice';
  if (inDetail.size !== inList.size || [...inDetail].some((id) => !inList.has(id))) {
    return `the detail has ${inDetail.size} rows, the active list ${inList.size}`;
  }
  if (summary.total !== active.length) {
    return `the summary counts ${summary.total}, the active list has ${active.length}`;
  }
  for (const severity of ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const) {
    const listed = active.filter((row) => row.severity === severity).length;
    if (listed !== summary[severity])
      return `the summary counts ${summary[severity]} ${severity}, the list has ${listed}`;
  }
  return null;
}

/** True if a difference has no explanation. */
export function isUnexplained(comparison: Comparison): boolean {
  return (
    comparison.missed.length > 0 ||
    comparison.extra.length > 0 ||
    comparison.outdated.length > 0 ||
    comparison.notExploited.length > 0 ||
    comparison.wronglyExploited.length > 0 ||
    comparison.disagreement !== null ||
    (comparison.refused !== null && !(comparison.document in explainedErrors))
  );
}
