import type { SbomFormat } from '@bomtrail/messages';

/** An upload whose document is kept: what its record will say, and where the client wants it. */
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
  /** Place of the upload in its trace (W3C Trace Context); absent unless traces are on. */
  traceparent?: string;
}
