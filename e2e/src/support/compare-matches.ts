import { ApiError, waitForScan, type ApiClient } from '@bomtrail/api-client';
import { explainedErrors, type ExplainedDifference } from './explained';
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
  /** Detail, active list and summary of the document's service disagree. */
  disagreement: string | null;
}

/** The first documents wait for the feeds of their ecosystems. */
const scanWithinMs = 300_000;

/** Uploads one document to a service of its own and compares what the API says with the expectation. */
export async function compareDocument(
  deps: { client: ApiClient; data: RealData; explained: readonly ExplainedDifference[] },
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
    };
    return { ...base, ...nothing, refused: error.message };
  }
  const detail = await waitForScan(client, uploaded.id, scanWithinMs);
  const found = new Set(
    detail.vulnerabilities
      .flatMap((record) => record.occurrences ?? [record])
      .flatMap(({ purl, advisory_ids }) => advisory_ids.map((advisory) => `${purl}\t${advisory}`)),
  );
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
    disagreement: await disagreementOf(client, detail),
  };
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
    comparison.disagreement !== null ||
    (comparison.refused !== null && !(comparison.document in explainedErrors))
  );
}
