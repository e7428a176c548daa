import type { Schemas } from '../../api/client';
import { Empty } from '../../components/parts';
import { text } from '../../text/en';
import { questionOf } from '../search/question';
import styles from './findings.module.css';
import { isNarrowed, type FindingsSearch } from './findings-search';
import { KnownId } from './known-id';
import { UnknownInList } from './unknown-in-list';

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
  const id = search.cve_id ?? vulnerabilityIn(search.q);
  return (
    <div className={styles.note}>
      <Empty title={text.findings.empty}>
        <p>{why}</p>
        <UnknownInList search={search} />
        {id && <KnownId id={id} />}
      </Empty>
    </div>
  );
}

/** The id of a vulnerability, if the words are one. */
function vulnerabilityIn(words: string | undefined): string | undefined {
  const question = questionOf(words ?? '');
  return question.kind === 'vulnerability' ? question.id : undefined;
}
