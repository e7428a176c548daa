/**
 * An advisory in OSV's format (schema 1.7.5), cut down to the fields that are read here and with
 * its lists always present. It is plain JSON, fit to be stored, and `readRecord` reads it again
 * to an equal record.
 */
export interface OsvRecord {
  id: string;
  /** ISO 8601, UTC, milliseconds, so that text order is time order; year 1 exists in the wild. */
  modified: string;
  /** As `modified`; null when absent or unreadable. */
  published: string | null;
  /** As `modified`; an unreadable one stays as text, because being set is what counts. */
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
  /** `severity`: the source's word. `cvss_v*`: base scores that it states without a vector. */
  database_specific: { severity?: string; cvss_v2?: number; cvss_v3?: number; cvss_v4?: number };
}

export interface OsvSeverity {
  /** `CVSS_V2`, `CVSS_V3`, `CVSS_V4`, or a source's own scale such as `Ubuntu`. */
  type: string;
  /** A CVSS vector, or a word of the source's own scale. */
  score: string;
}

export interface OsvAffected {
  /** null where the entry names only a source repository. */
  package: { ecosystem: string; name: string } | null;
  severity: OsvSeverity[];
  ranges: OsvRange[];
  versions: string[];
  /** `urgency` is Debian's word. */
  ecosystem_specific: { severity?: string; urgency?: string };
  /** `cvss` is RustSec's vector. */
  database_specific: { severity?: string; cvss?: string };
}

export interface OsvRange {
  /** `SEMVER`, `ECOSYSTEM` or `GIT`. */
  type: string;
  events: OsvEvent[];
}

export type OsvEventKind = 'introduced' | 'fixed' | 'last_affected' | 'limit';

/** One change along the line of versions; the schema's `{"fixed": "1.2.3"}` taken apart. */
export type OsvEvent = Partial<Record<OsvEventKind, string>>;

export interface OsvReference {
  type: string;
  url: string;
}
