import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import { createAlertRule, type AlertRuleDeps } from '../use-cases/create-alert-rule';
import { deleteAlertRule, forgetProject, type ForgetDeps } from '../use-cases/forget';
import { listDeliveries, type ListDeliveriesDeps } from '../use-cases/list-deliveries';
import { previewAlertRule, type PreviewDeps } from '../use-cases/preview-alert-rule';
import { testAlertRule, type TestAlertRuleDeps } from '../use-cases/test-alert-rule';
import { updateAlertRule } from '../use-cases/update-alert-rule';
import { alertRuleView } from '../use-cases/views';

export type NotifierDeps = AlertRuleDeps &
  ForgetDeps &
  ListDeliveriesDeps &
  PreviewDeps &
  TestAlertRuleDeps;

/** Every question that the notifier answers. */
export function notifierAnswers(deps: NotifierDeps): RpcDoor[] {
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
      if (!(await deleteAlertRule(deps, body))) throw new AppError('alert_rule_not_found');
      return { body: { deleted: true } };
    }),
    answers(messages.listAlertRules, async (body) => {
      const { items, total } = await rules.list(body.project_id, messages.pageWindow(body));
      return { body: { items: items.map(alertRuleView), total } };
    }),
    answers(messages.listDeliveries, async (body) => ({ body: await listDeliveries(deps, body) })),
    answers(messages.previewAlertRule, async (body) => ({
      body: await previewAlertRule(deps, body),
    })),
    answers(messages.testAlertRule, async (body) => ({ body: await testAlertRule(deps, body) })),
    answers(messages.forgetProject('notifier'), async (body) => ({
      body: await forgetProject(deps, body.project_id),
    })),
  ];
}
