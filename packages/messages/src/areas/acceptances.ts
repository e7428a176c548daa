import { z } from 'zod';
import { rpc } from '../define';
import { id, pageOrPart, type PartOf } from './fields';

/** The contract's RiskAcceptanceResponse with the additive `expires_at` and `created_by`. */
export interface AcceptanceView {
  id: string;
  project_id: string;
  service_id: string | null;
  vulnerability_id: string;
  reason: string;
  /** The API key that created it; null if unknown. */
  created_by: { key_id: string; key_prefix: string } | null;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export const createAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'create-acceptance.v1',
  request: z.object({
    project_id: id,
    service_id: id.nullable(),
    vulnerability_id: id,
    reason: z.string(),
    expires_at: z.string().nullable(),
    created_by: z.object({ key_id: id, key_prefix: z.string() }).optional(),
  }),
  timeoutMs: 60_000,
});

/** An acceptance with what it accepts; `package_name` null: no SBOM contains the vulnerability. */
export interface ListedAcceptance extends AcceptanceView {
  cve_id: string;
  package_name: string | null;
}

export const listAcceptances = rpc<PartOf<ListedAcceptance>>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'list-acceptances.v1',
  request: pageOrPart.extend({ project_id: id.optional() }),
});

/**
 * `of_project`: the only project that exists for the caller; null or absent: all. Fails with
 * `acceptance_not_found`.
 */
export const deleteAcceptance = rpc<{ deleted: true }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'delete-acceptance.v2',
  request: z.object({ acceptance_id: id, of_project: id.nullable().optional() }),
  timeoutMs: 60_000,
});
