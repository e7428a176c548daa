import type { Provenance, SbomFormat } from '@bomtrail/messages';

/** An upload whose document is stored: content and target of its record. */
export interface Registration {
  project_id: string | null;
  project_slug: string | null;
  version: string | null;
  service_name: string | null;
  root_name: string | null;
  sha256: string;
  digest: string;
  format: SbomFormat;
  spec_version: string;
  dependency_count: number;
  /** Absent: unknown, sent by an earlier release. */
  provenance?: Provenance | undefined;
  /** Trace context of the upload (W3C Trace Context); absent unless tracing is on. */
  traceparent?: string;
}
