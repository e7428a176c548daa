import { z } from 'zod';
import { rpc } from '../define';
import { id, page, type PageOf } from './fields';

export const alertThresholds = ['critical', 'high', 'medium', 'low'] as const;
export const alertChannels = ['email', 'slack', 'discord'] as const;

export type AlertThreshold = (typeof alertThresholds)[number];
export type AlertChannel = (typeof alertChannels)[number];

/** The contract's AlertRuleResponse. `config` holds secrets and is in no answer. */
export interface AlertRuleView {
  id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  enabled: boolean;
  created_at: string;
}

const ruleFields = z.object({
  project_id: id,
  severity_threshold: z.enum(alertThresholds),
  notification_type: z.enum(alertChannels),
  /** Free; what is known of it (`webhook_url`, `recipients`) was checked at the door. */
  config: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
});

/** What a rule consists of when it is made. */
export type NewAlertRule = z.infer<typeof ruleFields>;

/** A rule as a caller names it: with `of_project` it exists only while it belongs to that project. */
const namedRule = z.object({ alert_id: id, of_project: id.nullable() });
export type NamedAlertRule = z.infer<typeof namedRule>;

/** Fails with `project_not_found`. */
export const createAlertRule = rpc<AlertRuleView>()({
  service: 'notifier',
  name: 'create-alert-rule.v1',
  request: ruleFields,
});

/** A field that is absent stays as it is. Fails with `alert_rule_not_found`, `project_not_found`. */
export const updateAlertRule = rpc<{ updated: true }>()({
  service: 'notifier',
  name: 'update-alert-rule.v1',
  request: namedRule.extend({ changes: ruleFields.partial() }),
});

/** Of parallel deletes one succeeds, the others fail with `alert_rule_not_found`. */
export const deleteAlertRule = rpc<{ deleted: true }>()({
  service: 'notifier',
  name: 'delete-alert-rule.v1',
  request: namedRule,
});

/** Newest first, ties by id. */
export const listAlertRules = rpc<PageOf<AlertRuleView>>()({
  service: 'notifier',
  name: 'list-alert-rules.v1',
  request: page.extend({ project_id: id.optional() }),
});
