import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useMay, useMayIn } from '../../app/own-rights';
import { useShortcuts } from '../../components/shortcuts';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { AcceptDialog } from './accept-dialog';
import { BulkBar } from './bulk-bar';
import { decidable, type Decidable } from './decidable';
import { FilterBar } from './filter-bar';
import { FindingPanel } from './finding-panel';
import styles from './findings.module.css';
import type { Finding } from './findings-queries';
import { GroupedFindings } from './grouped-findings';
import { ListedFindings } from './listed-findings';
import { useSelection } from './selection';

/** The findings: filters, the list or its groups, the panel of one of them, decisions. */
export function Findings() {
  const search = useSearch({ from: '/findings' });
  const navigate = useNavigate({ from: '/findings' });
  const selection = useSelection();
  const [deciding, setDeciding] = useState<Decidable | null>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const mayWrite = useMay('decide');
  const mayDecideIn = useMayIn('decide');
  const open = (finding: string | undefined) =>
    void navigate({ search: { ...search, finding }, replace: search.finding !== undefined });
  const decide = (findings: readonly Finding[]) => {
    if (!mayWrite) return;
    const of = decidable(findings, mayDecideIn);
    if (of.findings.length > 0) setDeciding(of);
    else notify(text.accept.leftOut(of));
  };
  const { findings: selected } = selection;
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    Escape: () => (search.finding ? open(undefined) : selection.clear()),
    ...(selected.size > 0 ? { d: () => decide([...selected.values()]) } : {}),
  });
  const list = {
    search,
    selection,
    filters: <FilterBar search={search} searchBox={searchBox} />,
    onOpen: open,
    onDecide: decide,
  };
  return (
    <div className={styles.view}>
      <div className={styles.list}>
        {search.group ? (
          <GroupedFindings key={search.group} {...list} group={search.group} />
        ) : (
          <ListedFindings {...list} />
        )}
        {selected.size > 0 && (
          <BulkBar
            count={selected.size}
            mayWrite={mayWrite}
            onAccept={() => decide([...selected.values()])}
            onClear={selection.clear}
          />
        )}
      </div>
      {search.finding && (
        <FindingPanel
          id={search.finding}
          onClose={() => open(undefined)}
          onAccept={(finding) => setDeciding(decidable([finding], mayDecideIn))}
        />
      )}
      {deciding && (
        <AcceptDialog
          of={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            setDeciding(null);
            selection.clear();
          }}
        />
      )}
    </div>
  );
}
