/**
 * An advisory in OSV's format (schema 1.7.5), reduced to the fields used here, with all lists
 * present. Plain JSON; `readRecord` reads it again to an equal record.
 */
export interface OsvRecord {
  id: string;
  /** ISO 8601, UTC, milliseconds: text order is time order. Year 1 occurs. */
  modified: string;
  /** As `modified`; null when absent or unreadable. */
  published: string | null;
  /** As `modified`; an unreadable value is kept as text, because being set matters. */
  withdrawn: string | null;
  aliases: string[];
  upstream: string[];
  related: string[];
  summary: string;
  /** Markdown. */
  details: string;
  severity: OsvSeverity[];
  affected: OsvAffected[];
  references: OsvReference[];
  /** `severity`: the source's term. `cvss_v*`: base scores without a vector. */
  database_specific: { severity?: string; cvss_v2?: number; cvss_v3?: number; cvss_v4?: number };
}

export interface OsvSeverity {
  /** `CVSS_V2`, `CVSS_V3`, `CVSS_V4`, or a source's own scale such as `Ubuntu`. */
  type: string;
  /** A CVSS vector, or a term of the source's own scale. */
  score: string;
}

export interface OsvAffected {
  /** null when the entry names a source repository only. */
  package: { ecosystem: string; name: string } | null;
  severity: OsvSeverity[];
  ranges: OsvRange[];
  versions: string[];
  /** `urgency`: Debian's term. */
  ecosystem_specific: { severity?: string; urgency?: string };
  /** `cvss`: RustSec's vector. */
  database_specific: { severity?: string; cvss?: string };
}

export interface OsvRange {
  /** `SEMVER`, `ECOSYSTEM` or `GIT`. */
  type: string;
  events: OsvEvent[];
}

export type OsvEventKind = 'introduced' | 'fixed' | 'last_affected' | 'limit';

/** One change of a range; the schema's `{"fixed": "1.2.3"}` split into kind and version. */
export type OsvEvent = Partial<Record<OsvEventKind, string>>;

export interface OsvReference {
  type: string;
  url: string;
}
