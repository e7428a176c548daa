import { usageError } from '../exit-codes';
import type { OtherFinding, OtherResult } from './other-finding';

type Json = Record<string, unknown>;

/**
 * Reads the JSON of a tool, or null if it is of another one. Only the fields that are compared are read. The shapes are
 * those that the tools' documents and parsers show.
 */
type ResultReader = (json: Json) => Omit<OtherResult, 'unreadable'> | null;

/** `grype -o json`: `matches`, and `ignoredMatches` for what its configuration or a VEX document ignores. */
const grype: ResultReader = (json) => {
  if (!Array.isArray(json.matches)) return null;
  const findings = (list: unknown, isSuppressed: boolean): OtherFinding[] =>
    objectsOf(list).map(({ vulnerability, relatedVulnerabilities, artifact }) => ({
      id: textOf(objectOf(vulnerability).id),
      aliases: objectsOf(relatedVulnerabilities).map(({ id }) => textOf(id)),
      ...packageOf(objectOf(artifact)),
      isSuppressed,
    }));
  return {
    tool: 'grype',
    findings: [...findings(json.matches, false), ...findings(json.ignoredMatches, true)],
  };
};

/** `osv-scanner --format json`: one finding per group of aliases. */
const osvScanner: ResultReader = ({ results }) => {
  if (!Array.isArray(results) || !results.every((one) => 'packages' in objectOf(one))) return null;
  const findings = objectsOf(results).flatMap(({ packages }) =>
    objectsOf(packages).flatMap((one) => {
      const named = packageOf(objectOf(one.package));
      const vulnerabilities = objectsOf(one.vulnerabilities);
      const groups = objectsOf(one.groups);
      const idsByGroup =
        groups.length > 0
          ? groups.map(({ ids, aliases }) => [...textsOf(ids), ...textsOf(aliases)])
          : vulnerabilities.map(({ id, aliases }) => [textOf(id), ...textsOf(aliases)]);
      return idsByGroup.map(([id = '', ...aliases]) => ({
        id,
        aliases,
        ...named,
        isSuppressed: false,
      }));
    }),
  );
  return { tool: 'osv-scanner', findings };
};

/** `trivy --format json`, `ExperimentalModifiedFindings` for what it ignores. */
const trivy: ResultReader = ({ SchemaVersion, Results }) => {
  if (typeof SchemaVersion !== 'number') return null;
  const findingOf = (found: Json, isSuppressed: boolean): OtherFinding => ({
    id: textOf(found.VulnerabilityID),
    aliases: textsOf(found.VendorIDs),
    name: textOf(found.PkgName),
    version: textOf(found.InstalledVersion),
    purl: textOf(objectOf(found.PkgIdentifier).PURL) || null,
    isSuppressed,
  });
  const findings = objectsOf(Results).flatMap((result) => [
    ...objectsOf(result.Vulnerabilities).map((one) => findingOf(one, false)),
    ...objectsOf(result.ExperimentalModifiedFindings)
      .filter(({ Type }) => Type === 'vulnerability')
      .map(({ Finding }) => findingOf(objectOf(Finding), true)),
  ]);
  return { tool: 'trivy', findings };
};

/** Findings saved from Dependency-Track's page (FPF), or of its API: a list. */
const dependencyTrack: ResultReader = (json) => {
  const meta = objectOf(json.meta);
  if (meta.application !== 'Dependency-Track') return null;
  const findings = objectsOf(json.findings).map(({ component, vulnerability, analysis }) => {
    const { vulnId, aliases } = objectOf(vulnerability);
    return {
      id: textOf(vulnId),
      aliases: objectsOf(aliases).flatMap((one) => textsOf(Object.values(one))),
      ...packageOf(objectOf(component)),
      isSuppressed: objectOf(analysis).isSuppressed === true,
    };
  });
  return { tool: 'Dependency-Track', findings };
};

/** Findings of DefectDojo: `/api/v2/findings/` (`results`), or its generic format (`findings`). */
const defectDojo: ResultReader = (json) => {
  const rows = json.results ?? json.findings;
  if (!Array.isArray(rows)) return null;
  const isDojo = rows.every((row) => 'component_name' in objectOf(row));
  if (!isDojo) return null;
  const findings = objectsOf(rows).map((row) => {
    const ids = (Array.isArray(row.vulnerability_ids) ? row.vulnerability_ids : []).map((one) =>
      textOf(typeof one === 'string' ? one : objectOf(one).vulnerability_id),
    );
    const [id = '', ...aliases] = [...ids, textOf(row.cve)].filter((one) => one !== '');
    return {
      id,
      aliases,
      name: textOf(row.component_name),
      version: textOf(row.component_version),
      purl: null,
      isSuppressed: [row.false_p, row.risk_accepted, row.out_of_scope].includes(true),
    };
  });
  return { tool: 'DefectDojo', findings };
};

/** In the order in which they are tried: DefectDojo's `results` may be empty like those of osv-scanner. */
const readers: readonly ResultReader[] = [grype, trivy, dependencyTrack, osvScanner, defectDojo];

/**
 * The JSON of a file, in UTF-8 with or without a byte order mark.
 *
 * @throws CliError (usage)
 */
export function parseResult(bytes: Uint8Array): unknown {
  // As PowerShell writes what a program prints.
  if (bytes.subarray(0, 2).some((byte) => byte === 0 || byte === 0xff))
    throw usageError('The file is not UTF-8 text but UTF-16: save it as UTF-8.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    throw usageError(`The file is not JSON: ${(error as Error).message}`);
  }
}

/** Null if no reader knows the shape. What lacks an id or a package is left out and counted. */
export function readOtherResult(json: unknown): OtherResult | null {
  for (const read of readers) {
    const result = read(objectOf(json));
    if (result === null) continue;
    const findings = result.findings.filter(({ id, name }) => id !== '' && name !== '');
    return { ...result, findings, unreadable: result.findings.length - findings.length };
  }
  return null;
}

/** The full name where the tool splits it, e.g. Maven's group. */
function packageOf({
  group,
  name,
  version,
  purl,
}: Json): Omit<OtherFinding, 'id' | 'aliases' | 'isSuppressed'> {
  const own = textOf(name);
  return {
    name: textOf(group) === '' ? own : `${textOf(group)}/${own}`,
    version: textOf(version),
    purl: textOf(purl) || null,
  };
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
