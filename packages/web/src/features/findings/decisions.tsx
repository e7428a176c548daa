import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../app/own-key';
import { Button } from '../../components/button';
import { formatDay } from '../../components/format';
import { Ago } from '../../components/parts';
import { text } from '../../text/en';
import { undo } from './accept';
import type { FindingDetail } from './findings-queries';
import styles from './panel.module.css';

/** The acceptances that apply to a finding; each can be ended. */
export function Decisions({ finding }: { finding: FindingDetail }) {
  const queries = useQueryClient();
  const mayWrite = useMay('write');
  if (finding.acceptances.length === 0) return null;
  return (
    <section className={styles.part}>
      <h3>{text.panel.decisions}</h3>
      {finding.acceptances.map((one) => (
        <article key={one.id} className={styles.decision}>
          <span>{one.reason}</span>
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
              {one.created_by && ` · ${text.panel.byKey(one.created_by.key_prefix)}`}
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
