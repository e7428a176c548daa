import { counted } from '../output/clean-text';
import type { MappedPolicy } from './map-policies';
import type { Unmatched } from './match-decisions';
import type { ServicePlan } from './plan-services';

/** What the import of one application brought. */
export interface ServiceReport {
  project: string;
  service: string;
  /** In Dependency-Track, with an SBOM. */
  versions: number;
  /** Of them here. */
  uploaded: number;
  refused: { version: string; uuid: string; reason: string }[];
  /** Findings of the newest version, suppressed ones included. */
  findings_there: number;
  /** Tracked vulnerabilities of the newest version, decided ones included. */
  findings_here: number;
  /** Of the newest version. */
  analyses: number;
  /** Tracked vulnerabilities with a decision from them. */
  decided: number;
  /** `stays_open`: exploitable, so there is nothing to decide. */
  unmatched: {
    vulnerability: string;
    component: string;
    reason: Unmatched | 'stays_open';
  }[];
}

/** Of a service that nothing was imported of. */
export function emptyReport({ project, service, versions }: ServicePlan): ServiceReport {
  return {
    project,
    service,
    versions: versions.length,
    uploaded: 0,
    refused: [],
    findings_there: 0,
    findings_here: 0,
    analyses: 0,
    decided: 0,
    unmatched: [],
  };
}

/** The whole import, `report.json`; of a dry run, `dry-run.json`. */
export interface ImportReport extends LeftOut {
  dependency_track: string;
  dry_run: boolean;
  services: ServiceReport[];
}

/** What of Dependency-Track belongs to no service. */
export interface LeftOut {
  /** Projects of Dependency-Track without an SBOM. */
  skipped: { name: string; version: string; uuid: string; reason: string }[];
  policies: MappedPolicy[];
  /** False: the key may not read policies. */
  policies_readable: boolean;
}

/** The report in one line. */
export function summaryOf({ services, skipped, dry_run }: ImportReport): string {
  const sum = (of: (one: ServiceReport) => number): number =>
    services.reduce((total, one) => total + of(one), 0);
  const versions = sum((one) => one.versions);
  const projects = new Set(services.map(({ project }) => project)).size;
  const where = `${counted(projects, 'project')}, ${counted(services.length, 'service')}`;
  const left = skipped.length === 0 ? '' : `; ${skipped.length} without an SBOM left out`;
  if (dry_run) return `DRY RUN ${where}, ${counted(versions, 'version')} to import${left}`;
  const decided = `${counted(
    sum((one) => one.decided),
    'decision',
  )} from ${counted(
    sum((one) => one.analyses),
    'analysis',
    'analyses',
  )}`;
  const findings = `${sum((one) => one.findings_here)} findings (there ${sum((one) => one.findings_there)})`;
  const uploaded = sum((one) => one.uploaded);
  return `IMPORTED ${where}, ${uploaded} of ${counted(versions, 'version')}, ${findings}, ${decided}${left}`;
}
