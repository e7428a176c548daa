import { createHash } from 'node:crypto';
import path from 'node:path';
import type { BriefVulnerability, SbomDetail } from '@bomtrail/api-client';
import type { SbomFile } from '../gate/read-document';
import { cleanText, counted } from './clean-text';
import { fixText } from './table';

/** Maximum results per run on GitHub. */
const maxResults = 5_000;

/** Score of a severity without CVSS score: the lower bound of its band. */
const bandScore = { critical: 9, high: 7, medium: 4, low: 0.1, none: 0, unknown: null } as const;
const levels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  none: 'note',
  unknown: 'warning',
} as const;
const ranks = ['critical', 'high', 'medium', 'low', 'unknown', 'none'];

export interface SarifInput {
  detail: SbomDetail;
  file: SbomFile;
  /** Base folder of locations, usually the repository. */
  folder: string;
  toolVersion: string;
  /** Why findings may be missing; empty if they are complete. */
  limits: readonly string[];
}

/**
 * Creates a SARIF 2.1.0 log for GitHub code scanning: a rule per vulnerability with `security-severity`, a result per
 * affected package at its line in the SBOM. Accepted vulnerabilities are suppressed. Fingerprints are stable over
 * versions of a service, so that alerts are continued.
 *
 * Use only with complete findings: a run closes the alerts that it does not repeat.
 */
export function sarif({ detail, file, folder, toolVersion, limits }: SarifInput): object {
  const open = detail.vulnerabilities
    .filter(({ status }) => status !== 'fixed')
    .flatMap(byOccurrence)
    .sort((one, other) => ranks.indexOf(one.severity) - ranks.indexOf(other.severity));
  const shown = open.slice(0, maxResults);
  const left = open.length - shown.length;
  const notes =
    left > 0 ? [...limits, `${counted(left, 'finding')} beyond ${maxResults} left out.`] : limits;
  const byRule = new Map<string, BriefVulnerability[]>();
  for (const row of shown) {
    const rows = byRule.get(row.cve_id);
    if (rows) rows.push(row);
    else byRule.set(row.cve_id, [row]);
  }
  const ruleIndex = new Map([...byRule.keys()].map((id, index) => [id, index]));
  const at = locateIn(file, folder, shown);
  // A package in several versions has several results per vulnerability.
  const seen = new Map<string, number>();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'bomtrail',
            version: toolVersion,
            semanticVersion: toolVersion,
            rules: [...byRule].map(([id, rows]) => ruleOf(id, rows)),
          },
        },
        automationDetails: { id: `bomtrail/${cleanText(detail.service_name ?? 'project')}/` },
        invocations: [
          {
            executionSuccessful: true,
            ...(notes.length > 0 && {
              toolExecutionNotifications: notes.map((text) => ({
                level: 'warning',
                message: { text: cleanText(text) },
              })),
            }),
          },
        ],
        results: shown.map((row) => {
          const occurrence = (seen.get(row.id) ?? 0) + 1;
          seen.set(row.id, occurrence);
          return resultOf(row, detail, { at, index: ruleIndex.get(row.cve_id) ?? 0, occurrence });
        }),
      },
    ],
  };
}

/** Splits a vulnerability into one entry per affected component. */
function byOccurrence(row: BriefVulnerability): BriefVulnerability[] {
  return row.occurrences?.map((one) => ({ ...row, ...one })) ?? [row];
}

function ruleOf(id: string, own: readonly BriefVulnerability[]): object {
  const scores = own.map((row) => row.cvss_score ?? bandScore[row.severity]);
  const score = scores.reduce(
    (most, one) => (one !== null && (most === null || one > most) ? one : most),
    null,
  );
  const advisories = [...new Set(own.flatMap(({ advisory_ids }) => advisory_ids))].sort();
  const packages = [...new Set(own.map(({ package_name }) => cleanText(package_name)))].sort();
  const text = `${cleanText(id)} in ${packages.slice(0, 5).join(', ')}${packages.length > 5 ? ', …' : ''}`;
  return {
    id: cleanText(id),
    name: 'VulnerableDependency',
    shortDescription: { text },
    fullDescription: {
      text: `Advisories: ${advisories.map(cleanText).join(', ') || 'none named'}.`,
    },
    helpUri: `https://osv.dev/vulnerability/${encodeURIComponent(advisories[0] ?? id)}`,
    help: {
      text: `Update ${packages.join(', ')} to a version that has the fix, or accept the risk.`,
    },
    defaultConfiguration: { level: levels[own[0]?.severity ?? 'unknown'] },
    properties: {
      tags: ['security', 'vulnerability', 'dependency'],
      ...(score !== null && { 'security-severity': score.toFixed(1) }),
    },
  };
}

interface DocumentLocations {
  uri: string;
  lineOf: (row: BriefVulnerability) => number;
}

function resultOf(
  row: BriefVulnerability,
  detail: SbomDetail,
  { at, index, occurrence }: { at: DocumentLocations; index: number; occurrence: number },
): object {
  const name = `${row.package_name}@${row.package_version}`;
  const text = `${row.cve_id} (${row.severity}) in ${name}. Fixed in: ${fixText(row.fixed_versions)}.`;
  return {
    ruleId: cleanText(row.cve_id),
    ruleIndex: index,
    level: levels[row.severity],
    message: { text: cleanText(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: at.uri },
          region: { startLine: at.lineOf(row) },
        },
        logicalLocations: [{ name: cleanText(name), kind: 'package' }],
      },
    ],
    partialFingerprints: {
      primaryLocationLineHash: `${fingerprint([detail.service_name ?? '', row.id])}:${occurrence}`,
      'bomtrailVulnerability/v1': row.id,
    },
    properties: propertiesOf(row),
    ...(row.status === 'accepted' && {
      suppressions: [{ kind: 'external', justification: 'Accepted as a risk in bomtrail.' }],
    }),
  };
}

/** What decides on the order of fixes; absent where nothing is known. */
function propertiesOf(row: BriefVulnerability): object {
  const score = row.cvss_score ?? bandScore[row.severity];
  return {
    kev: row.kev !== null,
    ...(row.epss_score !== null && { epss_score: row.epss_score }),
    ...(row.risk !== null && { risk: row.risk }),
    ...(score !== null && { 'security-severity': score.toFixed(1) }),
  };
}

function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Locates findings in the uploaded file, at the first line that names the package. */
function locateIn(
  file: SbomFile,
  folder: string,
  rows: readonly BriefVulnerability[],
): DocumentLocations {
  const inside = path.relative(folder, path.resolve(folder, file.name)).split(path.sep).join('/');
  const usable = file.name !== '-' && inside !== '' && !inside.startsWith('..');
  const names = rows.flatMap(namesOf).map((name) => JSON.stringify(name));
  const lines = linesOf(file.bytes.toString('utf8'), new Set(names));
  return {
    uri: encodeURI(usable ? inside : 'sbom.json').replace(/[?#]/g, encodeURIComponent),
    lineOf(row) {
      const line = namesOf(row).map((name) => lines.get(JSON.stringify(name)));
      return line.find((one) => one !== undefined) ?? 1;
    },
  };
}

/** Names of a package in a document, most specific first. */
function namesOf({ purl, package_name }: BriefVulnerability): string[] {
  return [purl, package_name].filter((one): one is string => !!one);
}

/** Returns the first line, from 1, of each wanted JSON string literal; reads the document once. */
function linesOf(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  let line = 1;
  let newline = text.indexOf('\n');
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = closingQuote(text, start);
    if (end < 0) break;
    const written = text.slice(start, end + 1);
    if (wanted.has(written) && !found.has(written)) {
      for (; newline >= 0 && newline < start; newline = text.indexOf('\n', newline + 1)) line += 1;
      found.set(written, line);
    }
    start = text.indexOf('"', end + 1);
  }
  return found;
}

/** Returns the index of the closing quote, after an even number of backslashes; -1 without one. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) break;
  }
  return end;
}
