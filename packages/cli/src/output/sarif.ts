import { createHash } from 'node:crypto';
import path from 'node:path';
import type { BriefVulnerability, SbomDetail } from '@bomtrail/api-client';
import type { SbomFile } from '../gate/read-document';
import { cleanText, counted } from './clean-text';
import { fixText } from './table';

/** More results of one run GitHub does not show. */
const longestRun = 5_000;

/** The score that stands for a severity without one: the lower bound of its band, as lists sort it. */
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
  /** The folder that places are relative to, as a rule that of the repository. */
  folder: string;
  toolVersion: string;
  /** Why the findings are not all, empty where they are. */
  limits: readonly string[];
}

/**
 * The findings of a scanned SBOM as a SARIF 2.1.0 log that GitHub code scanning takes: a rule for each
 * vulnerability with `security-severity`, a result for each package it is in, at the line of the SBOM
 * that names the package. Accepted ones are suppressed. Fingerprints are made of what stays the same
 * over versions of a service, so that an alert is followed and not opened anew.
 *
 * @returns the log as an object; only where all findings are known: a run closes the alerts that it does not repeat
 */
export function sarif({ detail, file, folder, toolVersion, limits }: SarifInput): object {
  const open = detail.vulnerabilities
    .filter(({ status }) => status !== 'fixed')
    .sort((one, other) => ranks.indexOf(one.severity) - ranks.indexOf(other.severity));
  const shown = open.slice(0, longestRun);
  const left = open.length - shown.length;
  const notes =
    left > 0 ? [...limits, `${counted(left, 'finding')} beyond ${longestRun} left out.`] : limits;
  const rules = [...new Set(shown.map(({ cve_id }) => cve_id))];
  const ruleIndex = new Map(rules.map((id, index) => [id, index]));
  const at = placeOf(file, folder);
  // A package may be there in several versions: one row, several results.
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
            rules: rules.map((id) => ruleOf(id, shown)),
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

function ruleOf(id: string, rows: readonly BriefVulnerability[]): object {
  const own = rows.filter((row) => row.cve_id === id);
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

interface Place {
  uri: string;
  lineOf: (row: BriefVulnerability) => number;
}

function resultOf(
  row: BriefVulnerability,
  detail: SbomDetail,
  { at, index, occurrence }: { at: Place; index: number; occurrence: number },
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
    ...(row.status === 'accepted' && {
      suppressions: [{ kind: 'external', justification: 'Accepted as a risk in bomtrail.' }],
    }),
  };
}

function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Where findings are shown: in the file that was uploaded, at the first line that names the package. */
function placeOf(file: SbomFile, folder: string): Place {
  const inside = path.relative(folder, path.resolve(folder, file.name)).split(path.sep).join('/');
  const usable = file.name !== '-' && inside !== '' && !inside.startsWith('..');
  const text = file.bytes.toString('utf8');
  const starts = lineStarts(text);
  return {
    uri: encodeURI(usable ? inside : 'sbom.json').replace(/[?#]/g, encodeURIComponent),
    lineOf({ purl, package_name }) {
      const wanted = [purl, package_name].filter((one): one is string => !!one);
      const offset = wanted.map((one) => text.indexOf(JSON.stringify(one))).find((one) => one >= 0);
      return offset === undefined ? 1 : lineAt(starts, offset);
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line, from 1, that holds an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
