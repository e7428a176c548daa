import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { wordsOf } from '../../app/search-params';
import { Button } from '../../components/button';
import { formatNumber } from '../../components/format';
import { severities } from '../../components/severity-order';
import { projectChoices, serviceChoices } from '../projects/projects-queries';
import { text } from '../../text/en';
import styles from './findings.module.css';
import { summaryOf } from './findings-queries';
import {
  chosenSeverities,
  sorts,
  statuses,
  toggled,
  type FindingsSearch,
  type Sort,
} from './findings-search';

interface FilterBarProps {
  search: FindingsSearch;
  searchBox: RefObject<HTMLInputElement | null>;
}

/** All filters and the order; every change is a new address. */
export function FilterBar({ search, searchBox }: FilterBarProps) {
  const navigate = useNavigate({ from: '/findings' });
  const change = (next: Partial<FindingsSearch>) =>
    void navigate({ search: { ...search, ...next, finding: undefined }, replace: false });
  return (
    <div className={styles.filters}>
      <IdBox
        search={search}
        searchBox={searchBox}
        onChange={(q) => change({ q, cve_id: undefined } as Partial<FindingsSearch>)}
      />
      <SeverityChips search={search} onChange={(severity) => change({ severity })} />
      <StatusChips search={search} onChange={(status) => change({ status })} />
      <FlagChips search={search} onChange={change} />
      <Scope search={search} onChange={change} />
      <label className={styles.select}>
        <span className="visually-hidden">{text.findings.sort}</span>
        <select
          value={search.sort ?? 'risk'}
          onChange={({ target }) => change({ sort: target.value as Sort, order: undefined })}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {text.findings.sorts[sort]}
            </option>
          ))}
        </select>
      </label>
      {isNarrowed(search) && (
        <Button kind="quiet" onClick={() => void navigate({ search: {} })}>
          {text.findings.clear}
        </Button>
      )}
    </div>
  );
}

function isNarrowed(search: FindingsSearch): boolean {
  return Object.keys(search).some((name) => !['sort', 'order', 'finding'].includes(name));
}

function IdBox({
  search,
  searchBox,
  onChange,
}: FilterBarProps & { onChange: (id: string | undefined) => void }) {
  const [written, setWritten] = useState(search.q ?? search.cve_id ?? '');
  const inAddress = search.q ?? search.cve_id;
  const last = useRef(inAddress);
  useEffect(() => {
    if (last.current !== inAddress) setWritten(inAddress ?? '');
    last.current = inAddress;
  }, [inAddress]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(written.trim() || undefined);
      }}
    >
      <input
        ref={searchBox}
        className={styles.box}
        type="search"
        aria-label={text.findings.idBox}
        placeholder={text.findings.idBox}
        value={written}
        onChange={({ target }) => {
          setWritten(target.value);
          if (target.value === '') onChange(undefined);
        }}
      />
    </form>
  );
}

/** One chip a severity, with how many are open; several may be chosen. */
function SeverityChips({ search, onChange }: ChipsProps) {
  const chosen = chosenSeverities(search);
  const { data } = useQuery(summaryOf(search));
  const counted = !search.status;
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.severity}>
      {severities.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(one)}
          onClick={() => onChange(toggled(chosen, one) || undefined)}
        >
          <span className={`${styles.dot} ${styles[one]}`} aria-hidden="true" />
          {text.severity[one]}
          {counted && <b>{data ? formatNumber(data[one]) : '·'}</b>}
        </button>
      ))}
    </div>
  );
}

interface ChipsProps {
  search: FindingsSearch;
  onChange: (words: string | undefined) => void;
}

function StatusChips({ search, onChange }: ChipsProps) {
  const chosen = wordsOf(search.status ?? 'open', statuses);
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.status}>
      {statuses.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(one)}
          onClick={() => {
            const next = toggled(chosen, one);
            onChange(next === 'open' || next === '' ? undefined : next);
          }}
        >
          {text.status[one]}
        </button>
      ))}
    </div>
  );
}

const flags = ['kev', 'has_fix', 'is_direct'] as const;

function FlagChips({
  search,
  onChange,
}: {
  search: FindingsSearch;
  onChange: (next: Partial<FindingsSearch>) => void;
}) {
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.only}>
      {flags.map((flag) => (
        <button
          key={flag}
          type="button"
          className={styles.chip}
          aria-pressed={search[flag] === 'true'}
          onClick={() => onChange({ [flag]: search[flag] === 'true' ? undefined : 'true' })}
        >
          {text.findings.flags[flag]}
        </button>
      ))}
    </div>
  );
}

function Scope({
  search,
  onChange,
}: {
  search: FindingsSearch;
  onChange: (next: Partial<FindingsSearch>) => void;
}) {
  const projects = useQuery(projectChoices());
  const services = useQuery({
    ...serviceChoices(search.project_id ?? ''),
    enabled: search.project_id !== undefined,
  });
  return (
    <>
      <label className={styles.select}>
        <span className="visually-hidden">{text.findings.project}</span>
        <select
          value={search.project_id ?? ''}
          onChange={({ target }) =>
            onChange({ project_id: target.value || undefined, service_id: undefined })
          }
        >
          <option value="">{text.findings.allProjects}</option>
          {projects.data?.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {search.project_id && (
        <label className={styles.select}>
          <span className="visually-hidden">{text.findings.service}</span>
          <select
            value={search.service_id ?? ''}
            onChange={({ target }) => onChange({ service_id: target.value || undefined })}
          >
            <option value="">{text.findings.allServices}</option>
            {services.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
