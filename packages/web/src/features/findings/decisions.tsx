import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import { formatDay, personName } from '../../components/format';
import { Ago, Tag } from '../../components/parts';
import { WebLink } from '../../components/web-link';
import { text } from '../../text/en';
import { endDecision } from './accept';
import type { FindingDetail } from './findings-queries';
import styles from './panel.module.css';

/** The decisions that apply to a finding, the one that counts first; those of people can be ended here. */
export function Decisions({ finding }: { finding: FindingDetail }) {
  const queries = useQueryClient();
  const mayWrite = useMay('decide', finding.project_id);
  if (finding.acceptances.length === 0) return null;
  const { decision } = finding;
  return (
    <section className={styles.part}>
      <h3>{text.panel.decisions}</h3>
      {decision?.contradicted && <p role="note">{text.panel.contradicted}</p>}
      {inOrder(finding).map((one) => (
        <article key={one.id} className={styles.decision}>
          <b>
            {kindInWords(one)}{' '}
            {decision?.contradicted && one.id === decision.acceptance_id && (
              <Tag kind="good">{text.panel.counts}</Tag>
            )}
          </b>
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
              {one.created_by && ` · ${authorInWords(one.created_by)}`}
              {one.assignee && ` · ${text.panel.assignee(one.assignee)}`}
              {one.source_document && ` · ${text.panel.bySource(one.source_document.id)}`}
              {one.rule_name && ` · ${text.panel.byRule(one.rule_name)}`}
            </span>
            {mayWrite && (one.source ?? 'manual') === 'manual' && (
              <Button kind="quiet" onClick={() => void endDecision(one.id, queries)}>
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

/** The decision that counts before the others. */
function inOrder({ acceptances, decision }: FindingDetail): Decision[] {
  const counts = ({ id }: Decision) => Number(id === decision?.acceptance_id);
  return [...acceptances].sort((one, other) => counts(other) - counts(one));
}

function kindInWords({ decision, justification }: Decision): string {
  const kind = text.accept.kinds[decision ?? 'risk_accepted'];
  return justification ? `${kind}: ${text.accept.justifications[justification]}` : kind;
}

function authorInWords({ person, name, key_prefix }: NonNullable<Decision['created_by']>): string {
  return person ? text.panel.byPerson(personName(person)) : text.panel.byKey(name ?? key_prefix);
}
