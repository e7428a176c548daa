import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { Empty, Page, PageHead, Skeleton } from '../../components/parts';
import { text } from '../../text/en';
import { projectChoices } from '../projects/projects-queries';
import { AlertRule } from './alert-rule';
import styles from './alerts.module.css';
import { Pager } from '../../components/pager';

export const alertsKey = ['alerts'] as const;

function rulesPage(page: number) {
  return queryOptions({
    queryKey: [...alertsKey, page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/alert-rules', { params: { query: { page, per_page: 25 } }, signal })),
  });
}

/** The alert rules, each with what it would send and what it has sent. */
export function Alerts() {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(rulesPage(page));
  const projects = useQuery(projectChoices());
  const nameOf = ({ project_id }: Schemas['AlertRuleResponse']) =>
    projects.data?.items.find(({ id }) => id === project_id)?.name ?? project_id;
  return (
    <Page>
      <PageHead
        title={data ? text.alerts.title(data.total) : text.alerts.loading}
        lead={text.alerts.lead}
      />
      {error && !data ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : data.items.length === 0 ? (
        <Empty title={text.alerts.empty}>{text.alerts.emptyWhy}</Empty>
      ) : (
        <ul className={styles.rules}>
          {data.items.map((rule) => (
            <li key={rule.id}>
              <AlertRule rule={rule} projectName={nameOf(rule)} />
            </li>
          ))}
        </ul>
      )}
      {data && <Pager page={page} totalPages={data.total_pages} onPage={setPage} />}
    </Page>
  );
}
