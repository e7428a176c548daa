import { useQuery } from '@tanstack/react-query';
import { Ago, Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './alerts.module.css';
import { deliveriesOf } from './alerts-queries';

/**
 * How the newest delivery of a rule ended, and when; why it failed stands in the opened rule. Asks for the deliveries
 * of its rule: one request for each rule of a list.
 */
export function LastDelivery({ id }: { id: string }) {
  const { data } = useQuery(deliveriesOf(id));
  if (!data) return null;
  const [last] = data.items;
  if (!last) return <span className={styles.last}>{text.alerts.neverSent}</span>;
  return (
    <span className={styles.last}>
      {text.alerts.lastSent} {text.alerts.delivery(last.kind, last.total)} <Ago at={last.at} />{' '}
      <Tag kind={last.outcome === 'sent' ? 'good' : 'bad'}>
        {text.alerts.outcomes[last.outcome]}
      </Tag>
    </span>
  );
}
