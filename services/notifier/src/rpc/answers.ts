import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import { createAlertRule, type AlertRuleDeps } from '../use-cases/create-alert-rule';
import { updateAlertRule } from '../use-cases/update-alert-rule';
import { alertRuleView } from '../use-cases/views';

/** Every question that the notifier answers. */
export function notifierAnswers(deps: AlertRuleDeps): RpcDoor[] {
  const { rules } = deps;
  return [
    answers(messages.createAlertRule, async (body) => ({
      body: await createAlertRule(deps, body),
    })),
    answers(messages.updateAlertRule, async (body) => {
      await updateAlertRule(deps, body);
      return { body: { updated: true } };
    }),
    answers(messages.deleteAlertRule, async (body) => {
      if (!(await rules.delete(body))) throw new AppError('alert_rule_not_found');
      return { body: { deleted: true } };
    }),
    answers(messages.listAlertRules, async (body) => {
      const { items, total } = await rules.list(body.project_id, messages.pageWindow(body));
      return { body: { items: items.map(alertRuleView), total } };
    }),
    answers(messages.forgetProject('notifier'), async (body) => {
      await rules.forget(body.project_id, new Date());
      return { body: { more: false } };
    }),
  ];
}
