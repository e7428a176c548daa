/** What is read of Dependency-Track's `/api/v1`; every other field is ignored. */

/** One version of an application; Dependency-Track calls each a project. */
export interface DtProject {
  uuid: string;
  name: string;
  version?: string;
  /** Dependency-Track 4.12 and later. */
  isLatest?: boolean;
  active?: boolean;
  parent?: { uuid: string; name?: string };
  /** Not `NONE`: a project without an SBOM that sums up its children. */
  collectionLogic?: string;
  /** Milliseconds since 1970; absent: no SBOM was ever uploaded. */
  lastBomImport?: number;
}

export interface DtFinding {
  component: { uuid: string; name: string; version?: string; purl?: string };
  /** Saved exports may lack its `uuid`. */
  vulnerability: { uuid?: string; vulnId: string; aliases?: Record<string, string>[] };
  analysis?: { state?: string; isSuppressed?: boolean; detail?: string };
}

/** The trail of an analysis, with what a finding leaves out. */
export interface DtAnalysis {
  analysisState?: string;
  analysisJustification?: string;
  analysisDetails?: string;
  isSuppressed?: boolean;
  analysisComments?: { timestamp?: number; comment?: string; commenter?: string }[];
}

export interface DtPolicy {
  name: string;
  operator?: string;
  violationState?: string;
  policyConditions?: { subject: string; operator: string; value: string }[];
}

/** The lists with which a download begins. */
export interface DtLists {
  /** Address of the server; absent: saved exports. */
  from?: string;
  /** Of the server. */
  version: string;
  projects: DtProject[];
  /** Null if the key may not read them. */
  policies: DtPolicy[] | null;
}

/** What is downloaded of one version. */
export interface DtVersionData {
  findings: DtFinding[];
  /** By `analysisKey`; only of findings that somebody analysed. */
  analyses: Record<string, DtAnalysis>;
}

/** Names an analysis among those of a version. */
export function analysisKey({ component, vulnerability }: DtFinding): string {
  return `${component.uuid}:${vulnerability.uuid ?? vulnerability.vulnId}`;
}
