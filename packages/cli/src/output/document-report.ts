import type { BriefVulnerability } from '@bomtrail/api-client';
import type { Judged } from '../gate/judged';
import type { SbomFile } from '../gate/read-document';
import type { Outcome } from '../context';

/** All findings of a document. */
export interface Findings {
  /** Name of the service; null for the project itself. */
  service_name: string | null;
  vulnerabilities: readonly BriefVulnerability[];
}

/** One document in the reports. */
export interface DocumentReport {
  /** Display name, e.g. `web-shop/frontend 1.4.0`. */
  what: string;
  /** The stored SBOM; null if none was stored. */
  stored: { id: string } | null;
  /** The document, if available: reports refer to its lines. */
  file: SbomFile | null;
  /** Null without a verdict. */
  judged: Judged | null;
  outcome: Outcome;
  /** Reads the findings; repeated calls share one request. */
  findings: () => Promise<Findings>;
}

/** A document whose findings have been read. */
export interface FoundReport extends DocumentReport {
  judged: Judged;
  found: Findings;
}

/** Facts about the run that writes the reports. */
export interface ReportRun {
  /** Base folder of locations, usually the repository. */
  folder: string;
  toolVersion: string;
  /** Time of the run. */
  now: Date;
}
