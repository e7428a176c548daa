import { createHash } from 'node:crypto';
import type { BriefVulnerability } from '@bomtrail/api-client';
import type { FoundReport, ReportRun } from '../document-report';
import {
  advisoryUrl,
  occurrencesOf,
  packageOf,
  solutionOf,
  suppressionOf,
  titleOf,
} from '../finding-text';
import { cleanText, shortened } from '../clean-text';
import { locateFindings } from './locations';

/**
 * Version of GitLab's schema that the report follows. GitLab refuses a report of a later MODEL.REVISION than it knows
 * (17.1 knows 15.0 and 15.1, not 15.2), and accepts earlier ones; 15.0 is the last one that requires
 * `dependency_files`, which later ones still take.
 */
const schemaVersion = '15.0.7';
const maxIdentifiers = 20;

/** GitLab's package managers by type of purl; others are named by their type. */
const managers: Readonly<Record<string, string>> = {
  pypi: 'pip',
  golang: 'go',
  gem: 'bundler',
  deb: 'apt',
  apk: 'apk',
  rpm: 'rpm',
};

interface Located {
  row: BriefVulnerability;
  file: string;
}

/**
 * Creates a report for GitLab's `artifacts:reports:dependency_scanning`.
 *
 * Source: GitLab, "Security report schemas", dependency-scanning-report-format 15.0.7. Suppressed findings are left out, as
 * the format has no place for them. Use only with complete findings: GitLab marks what a report does not repeat as no
 * longer detected.
 */
export function gitlab(reports: readonly FoundReport[], run: ReportRun): object {
  const located = reports.flatMap((report) => locatedIn(report, run));
  const tool = {
    id: 'bomtrail',
    name: 'bomtrail',
    version: run.toolVersion,
    vendor: { name: 'bomtrail' },
  };
  // Without milliseconds and zone, in UTC.
  const time = run.now.toISOString().slice(0, 19);
  return {
    version: schemaVersion,
    scan: {
      analyzer: tool,
      scanner: tool,
      type: 'dependency_scanning',
      start_time: time,
      end_time: time,
      status: 'success',
    },
    vulnerabilities: located.map(vulnerabilityOf),
    dependency_files: dependencyFiles(located),
  };
}

function locatedIn({ file, found, judged, what }: FoundReport, run: ReportRun): Located[] {
  const rows = occurrencesOf(found.vulnerabilities).filter(
    (row) => suppressionOf(row, judged.ignored) === null,
  );
  const at = locateFindings(file, run.folder, rows);
  return rows.map((row) => ({ row, file: at(row)?.path ?? cleanText(what) }));
}

function vulnerabilityOf({ row, file }: Located): object {
  const identity = [row.id, row.package_version, row.purl ?? '', file];
  return {
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
    name: shortened(titleOf(row), 255),
    description: `${titleOf(row)} in ${packageOf(row)}.`,
    severity: row.severity === 'none' ? 'Info' : capital(row.severity),
    solution: solutionOf(row),
    identifiers: identifiersOf(row),
    links: row.advisory_ids.map((id) => ({ url: advisoryUrl(id) })),
    location: { file, dependency: dependencyOf(row) },
  };
}

function dependencyOf(row: BriefVulnerability): object {
  return {
    package: { name: cleanText(row.package_name) || 'unknown' },
    version: cleanText(row.package_version),
    direct: row.is_direct,
  };
}

/** The first one identifies the vulnerability in GitLab. */
function identifiersOf(row: BriefVulnerability): object[] {
  const ids = [...new Set([row.cve_id, ...row.advisory_ids, ...(row.aliases ?? [])])];
  return ids.slice(0, maxIdentifiers).map((id) => {
    const value = cleanText(id);
    return { type: typeOf(value), name: value, value, url: advisoryUrl(id) };
  });
}

function typeOf(id: string): string {
  const prefix = /^([A-Za-z]+)-/.exec(id)?.[1]?.toLowerCase();
  return prefix ?? 'advisory';
}

function dependencyFiles(located: readonly Located[]): object[] {
  const byFile = new Map<string, BriefVulnerability[]>();
  for (const { row, file } of located) byFile.set(file, [...(byFile.get(file) ?? []), row]);
  return [...byFile].map(([file, rows]) => {
    const dependencies = new Map(rows.map((row) => [packageOf(row), dependencyOf(row)]));
    return {
      path: file,
      package_manager: managerOf(rows[0]?.purl ?? null),
      dependencies: [...dependencies.values()],
    };
  });
}

function managerOf(purl: string | null): string {
  const type = /^pkg:([a-z0-9.+-]+)\//i.exec(purl ?? '')?.[1]?.toLowerCase() ?? 'unknown';
  return managers[type] ?? type;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
