import { z } from 'zod';
import { rpc } from '../define';
import { id, pageOrPart, projectScope, type PartOf } from './fields';

/** What a decision says of a vulnerability; all but `in_triage` take it out of the active list. */
export const decisionKinds = [
  'risk_accepted',
  'not_affected',
  'false_positive',
  'in_triage',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Why something is not affected: the status justifications of OpenVEX (CISA). */
export const justifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;
export type Justification = (typeof justifications)[number];

/** Where decisions come from: a person (or a key), a VEX document, or a standing rule; in order of precedence. */
export const decisionSources = ['manual', 'vex', 'rule'] as const;
export type DecisionSource = (typeof decisionSources)[number];

/** Maximum services in the scope of one decision. */
export const maxDecisionServices = 50;

/** A person, as the identity provider names them. */
export const person = z.object({
  subject: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});
export type Person = z.infer<typeof person>;

/**
 * Who made or changed a decision. Of a key: its id, prefix and name. Of a person: their id and name,
 * an empty prefix, and `person`.
 */
export const decisionActor = z.object({
  key_id: id,
  key_prefix: z.string(),
  name: z.string().nullable(),
  person: person.optional(),
});
export type DecisionActor = z.infer<typeof decisionActor>;

/** The statement of a VEX document that a decision comes from. */
export interface SourceDocument {
  /** The id that the document gives itself. */
  id: string;
  version: string | null;
  /** Which of its statements. */
  statement: string | null;
}

/** The contract's RiskAcceptanceResponse with its additive fields. */
export interface AcceptanceView {
  id: string;
  project_id: string;
  /** The service, if it is exactly one. */
  service_id: string | null;
  /** Null: the whole project, or all projects. */
  service_ids: string[] | null;
  vulnerability_id: string;
  decision: DecisionKind;
  reason: string;
  /** Of `not_affected` only. */
  justification: Justification | null;
  detail: string | null;
  ticket_url: string | null;
  assignee: string | null;
  source: DecisionSource;
  /** Of source `vex` only. */
  source_document: SourceDocument | null;
  /** Of source `rule` only: the name of the rule. */
  rule_name?: string | null;
  /** The call that decided about many vulnerabilities, of which this is one; absent: none. */
  bulk_id?: string;
  /** The API key that created it; null if unknown. */
  created_by: DecisionActor | null;
  /** The API key that changed it last; null: nobody did. */
  updated_by: DecisionActor | null;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What a decision says, apart from what it is about. */
export const decisionContent = z.object({
  decision: z.enum(decisionKinds),
  reason: z.string(),
  justification: z.enum(justifications).nullable(),
  detail: z.string().nullable(),
  ticket_url: z.string().nullable(),
  assignee: z.string().nullable(),
  expires_at: z.string().nullable(),
});

/** The services that a decision is limited to; null: none. */
const services = z.array(id).min(1).max(maxDecisionServices).nullable();

/** Absent fields of the content: `risk_accepted`, and null. */
export const createAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'create-acceptance.v1',
  request: decisionContent.partial().extend({
    project_id: id,
    service_id: id.nullable(),
    service_ids: services.optional(),
    vulnerability_id: id,
    reason: z.string(),
    created_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/**
 * Decides about the alias group of a vulnerability in all projects, now and later. Fails with
 * `vulnerability_not_found`, `acceptance_exists`.
 */
export const createGlobalAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'create-global-acceptance.v1',
  request: decisionContent.partial().extend({
    vulnerability_id: id,
    reason: z.string(),
    created_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/**
 * Changes a decision; absent fields stay. `of_project` as in `deleteAcceptance`. A change with a justification that the
 * decision cannot have is not made: the decision is returned as it is. Fails with `acceptance_not_found`,
 * `acceptance_expired`, `acceptance_from_document`.
 */
export const updateAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'update-acceptance.v1',
  request: decisionContent.partial().extend({
    acceptance_id: id,
    of_project: projectScope.nullable().optional(),
    updated_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/** A decision with what it is about; `package_name` null: no SBOM contains the vulnerability. */
export interface ListedAcceptance extends AcceptanceView {
  cve_id: string;
  package_name: string | null;
}

/**
 * `expires_before`, `expires_after`: only those with an expiry before, or after, this time. `is_global`: those for all projects. Standing rules are
 * listed only if `source` asks for them.
 */
export const listAcceptances = rpc<PartOf<ListedAcceptance>>()({
  service: 'reconciler',
  callers: ['gateway', 'notifier'],
  name: 'list-acceptances.v1',
  request: pageOrPart.extend({
    project_id: projectScope.optional(),
    decision: z.array(z.enum(decisionKinds)).optional(),
    source: z.enum(decisionSources).optional(),
    expires_before: z.string().optional(),
    expires_after: z.string().optional(),
    is_global: z.boolean().optional(),
  }),
});

/**
 * `of_project`: the only projects that exist for the caller; null or absent: all. Fails with
 * `acceptance_not_found`. Response: `project_id`, of its project; absent if it was for all, and from earlier releases.
 */
export const deleteAcceptance = rpc<{ deleted: true; project_id?: string }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'delete-acceptance.v2',
  request: z.object({
    acceptance_id: id,
    of_project: projectScope.nullable().optional(),
    /** One for all projects; `of_project` is absent. */
    is_global: z.boolean().optional(),
  }),
  timeoutMs: 60_000,
});
