import { z } from 'zod';
import { rpc } from '../define';
import { decisionActor, decisionContent, type AcceptanceView } from './acceptances';
import { id, page, projectScope, type PageOf } from './fields';
import { listFilters } from './list-filters';
import { ownershipFilter } from './ownership';

/** Maximum standing rules in a project. */
export const maxDecisionRules = 100;
/** Maximum characters of the name of a rule. */
export const maxRuleNameLength = 200;

/**
 * What a standing rule selects: the filters of lists that follow from a vulnerability and its SBOM alone, so that its
 * status does not change with a feed of risk scores or with other decisions.
 */
export const ruleFilter = listFilters
  .pick({
    service_ids: true,
    severity: true,
    cve_id: true,
    package_name: true,
    purl: true,
    ecosystem: true,
    has_fix: true,
    is_direct: true,
  })
  .extend({
    /** The services with this owner and one of these labels, as the catalog has them (DC9). */
    owner: ownershipFilter.shape.owner,
    label: ownershipFilter.shape.labels,
  });
export type RuleFilter = z.infer<typeof ruleFilter>;

/** A decision about everything that a filter selects in a project, now and later. */
export interface DecisionRuleView extends Pick<
  AcceptanceView,
  | 'id'
  | 'project_id'
  | 'decision'
  | 'reason'
  | 'justification'
  | 'detail'
  | 'ticket_url'
  | 'assignee'
  | 'created_by'
  | 'updated_by'
  | 'expires_at'
  | 'created_at'
  | 'updated_at'
> {
  name: string;
  filter: RuleFilter;
  /** `applying`: some lists do not reflect it yet. An expired one decides nothing. */
  status: 'active' | 'applying' | 'expired';
  /** Vulnerabilities in newest SBOMs whose status it determines. */
  decided: number;
}

const named = { rule_id: id, of_project: projectScope.nullable() };

/** Waits for its effect some seconds. Fails with `project_not_found`, `service_not_found`, `too_many_decision_rules`. */
export const createDecisionRule = rpc<DecisionRuleView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'create-decision-rule.v1',
  request: decisionContent.partial().extend({
    project_id: id,
    name: z.string().max(maxRuleNameLength),
    filter: ruleFilter,
    reason: z.string(),
    created_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/** The rules of a project, newest first, expired ones included. */
export const listDecisionRules = rpc<PageOf<DecisionRuleView>>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'list-decision-rules.v1',
  request: page.extend({ project_id: id }),
  timeoutMs: 10_000,
});

/** `of_project`: the only projects that exist for the caller. Fails with `decision_rule_not_found`. */
export const readDecisionRule = rpc<DecisionRuleView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-decision-rule.v1',
  request: z.object(named),
});

/**
 * Absent fields stay, the filter always. A change with a justification that the decision cannot have is not made: the
 * rule is returned as it is. Fails with `decision_rule_not_found`, `acceptance_expired`.
 */
export const updateDecisionRule = rpc<DecisionRuleView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'update-decision-rule.v1',
  request: decisionContent.partial().extend({
    ...named,
    name: z.string().max(maxRuleNameLength).optional(),
    updated_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/** Fails with `decision_rule_not_found`. */
export const deleteDecisionRule = rpc<{ deleted: true }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'delete-decision-rule.v1',
  request: z.object(named),
  timeoutMs: 60_000,
});
