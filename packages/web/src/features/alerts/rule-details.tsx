import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loaded';
import { Clock, Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './alerts.module.css';
import { deliveriesOf, previewOf } from './alerts-queries';

/** What a rule would send now, and what it has sent. */
export function RuleDetails({ id }: { id: string }) {
  const preview = useQuery(previewOf(id));
  const deliveries = useQuery(deliveriesOf(id));
  return (
    <div className={styles.details}>
      <section>
        <h3>{text.alerts.preview}</h3>
        <Loaded query={preview} lines={2}>
          {({ can_send, total, reminders, reason, services, text: message }) => (
            <>
              {services === 0 && <p>{text.alerts.noService}</p>}
              {(services !== 0 || message) && can_send && (
                <p>{text.alerts.wouldSend(total, reminders?.length)}</p>
              )}
              {!can_send && <p>{reason}</p>}
              {message && <pre className={styles.text}>{message}</pre>}
            </>
          )}
        </Loaded>
      </section>
      <section>
        <h3>{text.alerts.deliveries}</h3>
        <Loaded query={deliveries} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p>{text.alerts.neverSent}</p>
            ) : (
              <ul className={styles.deliveries}>
                {items.map((one) => (
                  <li key={one.id}>
                    <Tag kind={one.outcome === 'sent' ? 'good' : 'bad'}>
                      {text.alerts.outcomes[one.outcome]}
                    </Tag>{' '}
                    {text.alerts.delivery(one.kind, one.total)} <Clock at={one.at} /> {one.reason}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
    </div>
  );
}
