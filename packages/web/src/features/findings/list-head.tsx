import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import type { Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { DataNote } from '../../components/data-note';
import { ViewHeading } from '../../components/parts';
import { text } from '../../text/en';
import { NewRule } from '../vex/new-rule';
import styles from './findings.module.css';
import type { FindingsSearch } from './findings-search';

interface ListHeadProps {
  title: string;
  search: FindingsSearch;
  advisoryData: Schemas['AdvisoryData'] | undefined;
}

/** How many match, what that is based on, a standing rule about them, and the way to a report of them. */
export function ListHead({ title, search, advisoryData }: ListHeadProps) {
  const mayManage = useMay('manage', search.project_id);
  const [ruling, setRuling] = useState(false);
  return (
    <header className={styles.head}>
      <ViewHeading>{title}</ViewHeading>
      {advisoryData && <DataNote data={advisoryData} />}
      {mayManage && search.project_id && (
        <Button onClick={() => setRuling(true)}>{text.rules.open}</Button>
      )}
      {ruling && search.project_id && (
        <NewRule projectId={search.project_id} search={search} onClose={() => setRuling(false)} />
      )}
      <Link
        to="/decisions"
        search={search.project_id ? { project_id: search.project_id } : {}}
        className={styles.report}
      >
        {text.decisions.link}
      </Link>
      <Link to="/findings/report" search={{ ...search, finding: undefined }}>
        {text.report.link}
      </Link>
    </header>
  );
}
