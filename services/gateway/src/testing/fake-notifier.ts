import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import {
  alertRule,
  alertRuleId,
  brokenProjectId,
  fullProjectId,
  missingId,
  projectId,
  restlessRuleId,
  spentRuleId,
} from './fake-data';
import { alertPreview, delivery } from './fake-alerts';
import { expectThe, type Fake } from './fake';

/** Plays the notifier: one alert rule with one delivery. */
export function fakeNotifier(play: Fake): void {
  const expectRule = (named: messages.NamedAlertRule) => {
    const visible = messages.isInScope(named.of_project, projectId);
    expectThe(named.alert_id === alertRuleId && visible, 'alert_rule_not_found');
  };
  play(messages.listAlertRules, () => ({ items: [alertRule], total: 26 }));
  play(messages.createAlertRule, ({ config: _, ...rule }) => {
    if (rule.project_id === brokenProjectId) throw new Error('The notifier fails.');
    expectThe(rule.project_id !== missingId, 'project_not_found');
    expectThe(rule.project_id !== fullProjectId, 'too_many_alert_rules');
    return { ...alertRule, ...rule };
  });
  play(messages.updateAlertRule, (body) => {
    expectRule(body);
    expectThe(body.changes.project_id !== missingId, 'project_not_found');
    expectThe(body.changes.project_id !== fullProjectId, 'too_many_alert_rules');
    return { updated: true };
  });
  play(messages.deleteAlertRule, (body) => {
    expectRule(body);
    return { deleted: true };
  });
  play(messages.listDeliveries, (body) => {
    expectRule(body);
    return { items: [delivery], total: 26 };
  });
  play(messages.previewAlertRule, (body) => {
    expectRule(body);
    return alertPreview;
  });
  play(messages.testAlertRule, (body) => {
    if (body.alert_id === spentRuleId) throw new AppError('rate_limited', 'Wait.', 1800);
    expectThe(body.alert_id !== restlessRuleId, 'rate_limited');
    expectRule(body);
    return { ...delivery, kind: 'test', next_attempt_at: null };
  });
}
