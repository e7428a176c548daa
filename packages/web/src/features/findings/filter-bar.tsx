import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Button } from '../../components/button';
import { text } from '../../text/en';
import { ActiveFilters } from './active-filters';
import { FlagChips, SeverityChips, StatusChips } from './filter-chips';
import styles from './findings.module.css';
import { groupings, isNarrowed, sorts, type FindingsSearch } from './findings-search';
import { IdBox } from './id-box';
import { MoreFilters } from './more-filters';
import { ScopeFilter } from './scope-filter';
import { InlineSelect } from './inline-select';

interface FilterBarProps {
  search: FindingsSearch;
  searchBox: RefObject<HTMLInputElement | null>;
}

/** All filters, the grouping and the order; every change is a new address. */
export function FilterBar({ search, searchBox }: FilterBarProps) {
  const navigate = useNavigate({ from: '/findings' });
  const change = (next: Partial<FindingsSearch>) =>
    void navigate({ search: { ...search, ...next, finding: undefined } });
  const part = { search, onChange: change };
  return (
    <div className={styles.filterBar}>
      <div className={styles.filters}>
        <IdBox {...part} searchBox={searchBox} />
        <SeverityChips {...part} />
        <StatusChips {...part} />
        <FlagChips {...part} />
        <MoreFilters {...part} />
        <ScopeFilter {...part} />
        <InlineSelect
          label={text.findings.group}
          value={search.group ?? ''}
          choices={[
            ['', text.findings.ungrouped],
            ...groupings.map((one) => [one, text.findings.groups[one]] as const),
          ]}
          onChange={(group) => change({ group: group || undefined })}
        />
        {!search.group && (
          <InlineSelect
            label={text.findings.sort}
            value={search.sort ?? 'risk'}
            choices={sorts.map((sort) => [sort, text.findings.sorts[sort]] as const)}
            onChange={(sort) => change({ sort, order: undefined })}
          />
        )}
      </div>
      <ActiveFilters {...part} />
      {isNarrowed(search) && (
        <Button
          kind="quiet"
          onClick={() => void navigate({ search: search.group ? { group: search.group } : {} })}
        >
          {text.findings.clear}
        </Button>
      )}
    </div>
  );
}
