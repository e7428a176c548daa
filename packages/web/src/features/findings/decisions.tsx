import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import { formatDay } from '../../components/format';
import { Ago } from '../../components/parts';
import { WebLink } from '../../components/web-link';
import { text } from '../../text/en';
import { undo } from './accept';
import type { FindingDetail } from './findings-queries';
import styles from './panel.module.css';

/** The acceptances that apply to a finding; each can be ended. */
export function Decisions({ finding }: { finding: FindingDetail }) {
  const queries = useQueryClient();
  const mayWrite = useMay('decide');
  if (finding.acceptances.length === 0) return null;
  return (
    <section className={styles.part}>
      <h3>{text.panel.decisions}</h3>
      {finding.acceptances.map((one) => (
        <article key={one.id} className={styles.decision}>
          <b>{kindInWords(one)}</b>
          <span>{one.reason}</span>
          {one.detail && <span className={styles.soft}>{one.detail}</span>}
          {one.ticket_url && <WebLink to={one.ticket_url}>{text.panel.ticket}</WebLink>}
          <footer>
            <span>
              {one.service_id ? text.panel.forService : text.panel.forProject}
              {one.created_at && (
                <>
                  {' · '}
                  <Ago at={one.created_at} />
                </>
              )}
              {one.expires_at && ` · ${text.panel.until(formatDay(one.expires_at))}`}
              {one.created_by &&
                ` · ${text.panel.byKey(one.created_by.name ?? one.created_by.key_prefix)}`}
              {one.assignee && ` · ${text.panel.assignee(one.assignee)}`}
              {one.source_document && ` · ${text.panel.bySource(one.source_document.id)}`}
            </span>
            {mayWrite && (
              <Button kind="quiet" onClick={() => void undo([one.id], queries)}>
                {text.panel.endDecision}
              </Button>
            )}
          </footer>
        </article>
      ))}
    </section>
  );
}

type Decision = FindingDetail['acceptances'][number];

function kindInWords({ decision, justification }: Decision): string {
  const kind = text.accept.kinds[decision ?? 'risk_accepted'];
  return justification ? `${kind}: ${text.accept.justifications[justification]}` : kind;
}
