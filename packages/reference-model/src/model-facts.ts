/** The current state of a test advisory. */
export interface ModelAdvisory {
  id: string;
  aliases: string[];
  /** `package@version`. */
  affects: string[];
  severity: 'critical' | 'medium';
  withdrawn: boolean;
}

/** The status that a decision gives; `open`: in triage. */
export type ModelDecision = 'accepted' | 'not_affected' | 'false_positive' | 'open';

/** An existing SBOM, as returned by the API. */
export interface ModelSbom {
  id: string;
  /** Null: project level. */
  service: string | null;
  created_at: string;
  /** `package@version`. */
  components: readonly string[];
  /** Document and version: an upload with the same content is a duplicate. */
  content: string;
}

export interface ModelAcceptance {
  id: string;
  /** Absent: an accepted risk. */
  decision?: ModelDecision;
  vulnerability_id: string;
  names: readonly string[];
  /** Null: the whole project. */
  service: string | null;
  /** Milliseconds; null: never. */
  expires_at: number | null;
}

/** The facts that a project's lists follow from. */
export interface ModelProject {
  advisories: ModelAdvisory[];
  /** In upload order. */
  sboms: ModelSbom[];
  acceptances: ModelAcceptance[];
  /** Absent: none. */
  vex?: ModelVexDocument[];
  /** Absent: none. */
  rules?: ModelRule[];
}

/** A statement about one package, in a version or in all. */
export interface ModelStatement {
  name: string;
  package_name: string;
  /** Null: whatever version. */
  version: string | null;
  /** `affected` takes away what earlier statements about the same vulnerability say of the same versions. */
  says: ModelDecision | 'affected';
  /** ISO 8601; no two are the same. */
  at: string;
}

export interface ModelVexDocument {
  id: string;
  /** The id that it has in itself. */
  document_id: string;
  version: number;
  statements: ModelStatement[];
}

/** A standing rule. */
export interface ModelRule {
  id: string;
  /** Null: the whole project. */
  service: string | null;
  /** The beginning of the names of packages. */
  prefix: string;
  /** Null: whatever severity. */
  severity: string | null;
  decision: ModelDecision;
}
