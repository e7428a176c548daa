import { createHash } from 'node:crypto';
import type { BriefVulnerability } from '@bomtrail/api-client';
import { cleanText, counted } from '../clean-text';
import type { FoundReport, ReportRun } from '../document-report';
import {
  advisoryUrl,
  occurrencesOf,
  packageOf,
  scoreOf,
  solutionOf,
  suppressionOf,
  titleOf,
} from '../finding-text';
import { fixText } from '../table';
import { locateFindings } from './locations';

/** Maximum results per run on GitHub. */
const maxResults = 5_000;

const levels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  none: 'note',
  unknown: 'warning',
} as const;

/**
 * Creates a SARIF 2.1.0 log for GitHub code scanning, with a run per document: a rule per vulnerability with
 * `security-severity`, a result per affected component in its manifest or at its line in the document. Accepted and
 * ignored vulnerabilities are suppressed. Fingerprints are stable over versions of a service, so that alerts are
 * continued.
 *
 * Use only with complete findings: a run closes the alerts that it does not repeat.
 */
export function sarif(reports: readonly FoundReport[], run: ReportRun): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: reports.map((report) => runOf(report, run)),
  };
}

function runOf(report: FoundReport, { folder, toolVersion }: ReportRun): object {
  const { found, file, judged } = report;
  const all = occurrencesOf(found.vulnerabilities);
  const shown = all.slice(0, maxResults);
  const left = all.length - shown.length;
  const limits = judged.verdict.caveats.map(({ message }) => message);
  const notes =
    left > 0 ? [...limits, `${counted(left, 'finding')} beyond ${maxResults} left out.`] : limits;
  const byRule = new Map<string, BriefVulnerability[]>();
  for (const row of shown) {
    const rows = byRule.get(row.cve_id);
    if (rows) rows.push(row);
    else byRule.set(row.cve_id, [row]);
  }
  const ruleIndex = new Map([...byRule.keys()].map((id, index) => [id, index]));
  const at = locateFindings(file, folder, shown);
  // A package in several versions has several results per vulnerability.
  const seen = new Map<string, number>();
  return {
    tool: {
      driver: {
        name: 'bomtrail',
        version: toolVersion,
        semanticVersion: toolVersion,
        rules: [...byRule].map(([id, rows]) => ruleOf(id, rows)),
      },
    },
    automationDetails: { id: `bomtrail/${cleanText(categoryOf(report))}/` },
    invocations: [
      {
        executionSuccessful: true,
        ...(notes.length > 0 && {
          toolExecutionNotifications: notes.map((text) => ({
            level: 'warning',
            message: { text: messageText(text) },
          })),
        }),
      },
    ],
    results: shown.map((row) => {
      const occurrence = (seen.get(row.id) ?? 0) + 1;
      seen.set(row.id, occurrence);
      const { path, line } = at(row) ?? { path: 'sbom.json', line: 1 };
      return {
        ...resultOf(row),
        ruleIndex: ruleIndex.get(row.cve_id) ?? 0,
        locations: [locationOf(row, path, line)],
        partialFingerprints: {
          primaryLocationLineHash: `${fingerprint([found.service_name ?? '', row.id])}:${occurrence}`,
          'bomtrailVulnerability/v1': row.id,
        },
        ...suppressed(suppressionOf(row, judged.ignored)),
      };
    }),
  };
}

/**
 * The service; of a check without a project its document, as GitHub refuses two runs of one category, and one in
 * another file closes the alerts of the other.
 */
function categoryOf({ found, file, judged }: FoundReport): string {
  const other = 'project_id' in judged.verdict ? 'project' : (file?.name ?? 'document');
  return found.service_name ?? other;
}

function ruleOf(id: string, own: readonly BriefVulnerability[]): object {
  const scores = own.map(scoreOf).filter((one): one is number => one !== null);
  const score = scores.length === 0 ? null : Math.max(...scores);
  const advisories = [...new Set(own.flatMap(({ advisory_ids }) => advisory_ids))].sort();
  const packages = [...new Set(own.map(({ package_name }) => cleanText(package_name)))].sort();
  const [first] = own;
  const title = first ? titleOf(first) : cleanText(id);
  const solutions = [...new Set(own.map(solutionOf))];
  return {
    id: cleanText(id),
    name: 'VulnerableDependency',
    shortDescription: { text: messageText(title) },
    fullDescription: {
      text: messageText(
        `${title}. In ${packages.slice(0, 5).join(', ')}${packages.length > 5 ? ', …' : ''}. Advisories: ${advisories.join(', ') || 'none named'}.`,
      ),
    },
    helpUri: advisoryUrl(advisories[0] ?? id),
    help: {
      text: messageText(`${solutions.slice(0, 20).join(' ')} Or accept the risk.`),
    },
    defaultConfiguration: { level: levels[first?.severity ?? 'unknown'] },
    properties: {
      tags: ['security', 'vulnerability', 'dependency'],
      ...(score !== null && { 'security-severity': score.toFixed(1) }),
    },
  };
}

function resultOf(row: BriefVulnerability): object {
  const text = `${row.cve_id} (${row.severity}) in ${packageOf(row)}. Fixed in: ${fixText(row.fixed_versions)}.`;
  return {
    ruleId: cleanText(row.cve_id),
    level: levels[row.severity],
    message: { text: messageText(text) },
    properties: propertiesOf(row),
  };
}

function locationOf(row: BriefVulnerability, path: string, line: number): object {
  const uri = encodeURI(path.replace(/\p{Cs}/gu, '\ufffd')).replace(/[?#]/g, encodeURIComponent);
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
    logicalLocations: [{ name: packageOf(row), kind: 'package' }],
  };
}

function suppressed(justification: string | null): object {
  return justification === null ? {} : { suppressions: [{ kind: 'external', justification }] };
}

/** What decides on the order of fixes; absent where nothing is known. */
function propertiesOf(row: BriefVulnerability): object {
  const score = scoreOf(row);
  return {
    kev: row.kev !== null,
    ...(row.epss_score !== null && { epss_score: row.epss_score }),
    ...(row.risk !== null && { risk: row.risk }),
    ...(score !== null && { 'security-severity': score.toFixed(1) }),
    fixed_versions: row.fixed_versions.slice(0, 20).map(cleanText),
  };
}

/** Text without embedded links (SARIF 2.1.0, 3.11.6). */
function messageText(text: string): string {
  return cleanText(text).replaceAll('](', '] (');
}

function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
