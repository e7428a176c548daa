import type { Schemas } from '../../api/client';
import { Empty } from '../../components/parts';
import { text } from '../../text/en';
import styles from './findings.module.css';
import { isNarrowed, type FindingsSearch } from './findings-search';

interface NoFindingsProps {
  search: FindingsSearch;
  advisoryData: Schemas['AdvisoryData'] | undefined;
}

/** Nothing matches, which is only good news if there is data to match with. */
export function NoFindings({ search, advisoryData }: NoFindingsProps) {
  const why =
    advisoryData === 'none'
      ? text.findings.emptyWithoutData
      : isNarrowed(search)
        ? text.findings.emptyNarrowed
        : text.findings.emptyAll;
  return (
    <div className={styles.note}>
      <Empty title={text.findings.empty}>{why}</Empty>
    </div>
  );
}
