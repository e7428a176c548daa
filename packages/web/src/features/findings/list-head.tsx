import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { DataNote } from '../../components/data-note';
import { text } from '../../text/en';
import styles from './findings.module.css';
import type { FindingsSearch } from './findings-search';

interface ListHeadProps {
  title: string;
  search: FindingsSearch;
  advisoryData: Schemas['AdvisoryData'] | undefined;
}

/** How many match, what that is based on, and the way to a report of them. */
export function ListHead({ title, search, advisoryData }: ListHeadProps) {
  return (
    <header className={styles.head}>
      <h1>{title}</h1>
      {advisoryData && <DataNote data={advisoryData} />}
      <Link
        to="/findings/report"
        search={{ ...search, finding: undefined }}
        className={styles.report}
      >
        {text.report.link}
      </Link>
    </header>
  );
}
