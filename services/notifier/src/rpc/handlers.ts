import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
import { createAlertRule, type AlertRuleDeps } from '../use-cases/create-alert-rule';
import {
  deleteAlertRule,
  deleteProjectData,
  type DeleteDeps,
} from '../use-cases/delete-alert-rule';
import { listDeliveries, type ListDeliveriesDeps } from '../use-cases/list-deliveries';
import { previewAlertRule, type PreviewDeps } from '../use-cases/preview-alert-rule';
import { testAlertRule, type TestAlertRuleDeps } from '../use-cases/test-alert-rule';
import { updateAlertRule } from '../use-cases/update-alert-rule';
import { alertRuleView } from '../use-cases/views';

export type NotifierDeps = AlertRuleDeps &
  DeleteDeps &
  ListDeliveriesDeps &
  PreviewDeps &
  TestAlertRuleDeps;

/** Handlers of all requests to the notifier. */
export function notifierHandlers(deps: NotifierDeps): RpcTransport[] {
  const { rules } = deps;
  return [
    answers(messages.createAlertRule, (body) => createAlertRule(deps, body)),
    handles(messages.updateAlertRule, async (body) => {
      await updateAlertRule(deps, body);
      return { body: { updated: true } };
    }),
    handles(messages.deleteAlertRule, async (body) => {
      if (!(await deleteAlertRule(deps, body))) throw new AppError('alert_rule_not_found');
      return { body: { deleted: true } };
    }),
    handles(messages.listAlertRules, async (body) => {
      const { alert_id, project_id: of_project = null } = body;
      if (alert_id !== undefined) {
        const one = await rules.find({ alert_id, of_project });
        return { body: { items: one ? [alertRuleView(one)] : [], total: one ? 1 : 0 } };
      }
      const { items, total } = await rules.list(body.project_id, messages.pageWindow(body));
      return { body: { items: items.map(alertRuleView), total } };
    }),
    answers(messages.listDeliveries, (body) => listDeliveries(deps, body)),
    answers(messages.previewAlertRule, (body) => previewAlertRule(deps, body)),
    answers(messages.testAlertRule, (body) => testAlertRule(deps, body)),
    answers(messages.deleteProjectData('notifier'), (body) =>
      deleteProjectData(deps, body.project_id),
    ),
  ];
}
