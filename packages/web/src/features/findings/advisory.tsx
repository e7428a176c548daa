import { formatDay } from '../../components/format';
import { Facts } from '../../components/parts';
import { WebLink } from '../../components/web-link';
import { text } from '../../text/en';
import type { FindingDetail } from './findings-queries';
import styles from './panel.module.css';

/** The advisory: its text as it is (never as markup), and where it says more. */
export function Advisory({ finding }: { finding: FindingDetail }) {
  const { facts } = text.panel;
  return (
    <section className={styles.part}>
      <h3>{text.panel.advisory}</h3>
      <Facts
        facts={[
          [facts.aliases, finding.aliases.join(', ')],
          [facts.upstream, finding.upstream?.join(', ')],
          [facts.vector, finding.cvss_vector && <code>{finding.cvss_vector}</code>],
          [facts.published, finding.published_at && formatDay(finding.published_at)],
          [facts.modified, finding.modified_at && formatDay(finding.modified_at)],
        ]}
      />
      {finding.description && (
        <div className={styles.text} tabIndex={0} role="region" aria-label={text.panel.advisory}>
          {finding.description}
        </div>
      )}
      <ul>
        {finding.references.slice(0, 30).map(({ type, url }) => (
          <li key={`${type} ${url}`}>
            <WebLink to={url} />
          </li>
        ))}
      </ul>
    </section>
  );
}
