import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { formatShare } from '../../components/format';
import { FormDialog } from '../../components/form-dialog';
import { Tag } from '../../components/parts';
import { notify } from '../../components/toasts';
import { useNamedProject } from '../projects/projects-queries';
import { text } from '../../text/en';
import styles from './alerts.module.css';
import { alertsKey, deliveriesOf, type Rule } from './alerts-queries';
import { LastDelivery } from './last-delivery';
import { RuleDetails } from './rule-details';
import { RuleForm } from './rule-form';

/** One rule in a line; opened, what it would send now and what it has sent. */
export function AlertRule({ rule }: { rule: Rule }) {
  const projectName = useNamedProject(rule.project_id)?.name ?? rule.project_id;
  const mayWrite = useMay('manage', rule.project_id);
  const [open, setOpen] = useState(false);
  return (
    <article className={styles.rule}>
      <header>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <b>{projectName}</b>{' '}
          {text.alerts.rule(reasonsInWords(rule), text.alerts.channels[rule.notification_type])}
          {optionsInWords(rule)}
        </button>
        <LastDelivery id={rule.id} />
        <Tag kind={rule.enabled ? 'good' : 'plain'}>
          {rule.enabled ? text.alerts.on : text.alerts.off}
        </Tag>
        {mayWrite && <Actions rule={rule} projectName={projectName} />}
      </header>
      {open && <RuleDetails id={rule.id} />}
    </article>
  );
}

/** Why it tells of a finding, each reason in words. */
function reasonsInWords({ by_severity, severity_threshold, kev, min_epss }: Rule): string {
  const reasons = [
    by_severity && text.alerts.andWorse(text.severity[severity_threshold]),
    kev && text.findings.kev,
    typeof min_epss === 'number' && text.alerts.epss(formatShare(min_epss)),
  ];
  return reasons.filter(Boolean).join(', ');
}

/** What limits it, and when it sends. */
function optionsInWords({ options }: Rule): string {
  if (!options) return '';
  const words = text.alerts.options;
  const { owner, labels, quiet_hours, digest, reminder_days } = options;
  const parts = [
    owner !== null && text.findings.active.owner(owner),
    labels.length > 0 && text.findings.active.label(labels.join(',')),
    digest && (digest.every === 'day' ? words.daily : words.weekly),
    quiet_hours && words.quiet(quiet_hours.from, quiet_hours.to),
    reminder_days !== null && words.reminds,
  ];
  return parts
    .filter(Boolean)
    .map((part) => ` · ${String(part)}`)
    .join('');
}

function Actions({ rule, projectName }: { rule: Rule; projectName: string }) {
  const queries = useQueryClient();
  const [shown, setShown] = useState<'form' | 'delete' | null>(null);
  const params = { path: { alert_id: rule.id } };
  const testing = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/alert-rules/{alert_id}/test', { params })),
    onSuccess: async ({ outcome, reason }) => {
      notify(text.alerts.tested(outcome, reason));
      await queries.invalidateQueries({ queryKey: deliveriesOf(rule.id).queryKey });
    },
  });
  const switching = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH('/api/v1/alert-rules/{alert_id}', { params, body: { enabled: !rule.enabled } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: alertsKey }),
  });
  const deleting = useMutation({
    mutationFn: () => bodyOf(api.DELETE('/api/v1/alert-rules/{alert_id}', { params })),
    onSuccess: () => queries.invalidateQueries({ queryKey: alertsKey }),
  });
  const error = testing.error ?? switching.error;
  return (
    <>
      <Button kind="quiet" unavailable={switching.isPending} onClick={() => switching.mutate()}>
        {rule.enabled ? text.alerts.switchOff : text.alerts.switchOn}
      </Button>
      <Button kind="quiet" onClick={() => setShown('form')}>
        {text.alerts.form.edit}
      </Button>
      <Button unavailable={testing.isPending} onClick={() => testing.mutate()}>
        {text.alerts.test(text.alerts.channels[rule.notification_type])}
      </Button>
      <Button kind="danger" className={styles.apart} onClick={() => setShown('delete')}>
        {text.alerts.form.delete}
      </Button>
      {error && <ErrorNote error={error} />}
      {shown === 'form' && <RuleForm rule={rule} onClose={() => setShown(null)} />}
      {shown === 'delete' && (
        <FormDialog
          title={text.alerts.form.deleteTitle(projectName)}
          submit={text.alerts.form.delete}
          danger
          sending={deleting}
          onClose={() => setShown(null)}
        >
          <p>{text.alerts.form.deleteWhy}</p>
        </FormDialog>
      )}
    </>
  );
}
