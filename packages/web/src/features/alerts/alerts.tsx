import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import { Loaded } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Empty, Page, PageHead } from '../../components/parts';
import { text } from '../../text/en';
import { AlertRule } from './alert-rule';
import styles from './alerts.module.css';
import { rulesPage } from './alerts-queries';
import { RuleForm } from './rule-form';

/** The alert rules, each with what it would send and what it has sent. */
export function Alerts() {
  const page = Number(useSearch({ from: '/alerts' }).page ?? 1);
  const navigate = useNavigate({ from: '/alerts' });
  const [creating, setCreating] = useState(false);
  const mayWrite = useMay('manage');
  const query = useQuery(rulesPage(page));
  return (
    <Page>
      <PageHead
        title={query.data ? text.alerts.title(query.data.total) : text.alerts.loading}
        lead={text.alerts.lead}
        actions={
          mayWrite && (
            <Button kind="primary" onClick={() => setCreating(true)}>
              {text.alerts.form.create}
            </Button>
          )
        }
      />
      <Loaded query={query} lines={6}>
        {({ items, total, total_pages }) =>
          total === 0 ? (
            <Empty title={text.alerts.empty}>{text.alerts.emptyWhy}</Empty>
          ) : (
            <>
              <ul className={styles.rules}>
                {items.map((rule) => (
                  <li key={rule.id}>
                    <AlertRule rule={rule} />
                  </li>
                ))}
              </ul>
              <Pager
                page={page}
                totalPages={total_pages}
                onPage={(next) => void navigate({ search: { page: String(next) } })}
              />
            </>
          )
        }
      </Loaded>
      {creating && <RuleForm onClose={() => setCreating(false)} />}
    </Page>
  );
}
