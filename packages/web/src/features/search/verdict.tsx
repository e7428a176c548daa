import type { ReactNode } from 'react';
import { useSeesAll } from '../../app/own-rights';
import { formatNumber } from '../../components/format';
import { text } from '../../text/en';
import type { Doubts } from './answer';
import styles from './search.module.css';

interface VerdictProps {
  kind: 'affected' | 'clear' | 'doubtful' | 'unknown';
  title: string;
  doubts?: Doubts;
  children?: ReactNode;
}

/** The answer in one sentence, and what may make it wrong. */
export function Verdict({ kind, title, doubts, children }: VerdictProps) {
  const seesAll = useSeesAll();
  return (
    <div className={`${styles.verdict} ${styles[kind]}`} role="status">
      <span className={styles.sign} aria-hidden="true">
        {signs[kind]}
      </span>
      <div>
        <h2>{title}</h2>
        {children && <p>{children}</p>}
        {doubts && !seesAll && <p>{text.search.someProjects}</p>}
        {doubts && doubtTexts(doubts).map((doubt) => <p key={doubt}>{doubt}</p>)}
      </div>
    </div>
  );
}

const signs = { affected: '!', clear: '✓', doubtful: '~', unknown: '?' };

function doubtTexts({ unscanned, data, incomplete }: Doubts): string[] {
  return [
    ...(unscanned > 0 ? [text.search.unscanned(formatNumber(unscanned), unscanned)] : []),
    ...(incomplete ? [text.search.incomplete] : []),
    ...(data === 'feed' ? [] : [text.data.why[data]]),
  ];
}
