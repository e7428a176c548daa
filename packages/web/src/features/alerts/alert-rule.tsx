import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useMay } from '../../app/own-key';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { Ago, Skeleton, Tag } from '../../components/parts';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import styles from './alerts.module.css';

type Rule = Schemas['AlertRuleResponse'];

/** One rule in a line; opened, what it would send now and what it has sent. */
export function AlertRule({ rule, projectName }: { rule: Rule; projectName: string }) {
  const queries = useQueryClient();
  const mayWrite = useMay('write');
  const [open, setOpen] = useState(false);
  const path = { alert_id: rule.id };
  const testing = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/v1/alert-rules/{alert_id}/test', { params: { path } })),
    onSuccess: async ({ outcome, reason }) => {
      notify(text.alerts.tested(outcome, reason));
      await queries.invalidateQueries({ queryKey: ['alerts', 'deliveries', rule.id] });
    },
  });
  const switching = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH('/api/v1/alert-rules/{alert_id}', {
          params: { path },
          body: { enabled: !rule.enabled },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  });
  const error = testing.error ?? switching.error;
  return (
    <article className={styles.rule}>
      <header>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <b>{projectName}</b> {text.alerts.rule(rule.severity_threshold, rule.notification_type)}
        </button>
        <Tag kind={rule.enabled ? 'good' : 'plain'}>
          {rule.enabled ? text.alerts.on : text.alerts.off}
        </Tag>
        {mayWrite && (
          <>
            <Button kind="quiet" disabled={switching.isPending} onClick={() => switching.mutate()}>
              {rule.enabled ? text.alerts.switchOff : text.alerts.switchOn}
            </Button>
            <Button disabled={testing.isPending} onClick={() => testing.mutate()}>
              {text.alerts.test}
            </Button>
          </>
        )}
      </header>
      {error && <ErrorNote error={error} />}
      {open && (
        <div className={styles.details}>
          <Preview id={rule.id} />
          <Deliveries id={rule.id} />
        </div>
      )}
    </article>
  );
}

function Preview({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['alerts', 'preview', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/alert-rules/{alert_id}/preview', {
          params: { path: { alert_id: id } },
          signal,
        }),
      ),
  });
  return (
    <section>
      <h3>{text.alerts.preview}</h3>
      {error ? (
        <ErrorNote error={error} />
      ) : !data ? (
        <Skeleton lines={2} />
      ) : (
        <>
          <p>{data.can_send ? text.alerts.wouldSend(data.total) : data.reason}</p>
          {data.text && <pre className={styles.text}>{data.text}</pre>}
        </>
      )}
    </section>
  );
}

function Deliveries({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['alerts', 'deliveries', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/alert-rules/{alert_id}/deliveries', {
          params: { path: { alert_id: id }, query: { per_page: 10 } },
          signal,
        }),
      ),
  });
  return (
    <section>
      <h3>{text.alerts.deliveries}</h3>
      {error ? (
        <ErrorNote error={error} />
      ) : !data ? (
        <Skeleton lines={2} />
      ) : data.items.length === 0 ? (
        <p>{text.alerts.neverSent}</p>
      ) : (
        <ul className={styles.deliveries}>
          {data.items.map((one) => (
            <li key={one.id}>
              <Tag kind={one.outcome === 'sent' ? 'good' : 'bad'}>
                {text.alerts.outcomes[one.outcome]}
              </Tag>{' '}
              {text.alerts.delivery(one.kind, one.total)} <Ago at={one.at} /> {one.reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
