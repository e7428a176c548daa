import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useMay } from '../../app/session';
import { DataNote } from '../../components/data-note';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { useShortcuts } from '../../components/shortcuts';
import { text } from '../../text/en';
import { AcceptDialog } from './accept-dialog';
import { BulkBar } from './bulk-bar';
import { FilterBar } from './filter-bar';
import { FindingPanel } from './finding-panel';
import { FindingsGrid, type GridHandle } from './findings-grid';
import styles from './findings.module.css';
import { findingDetail, useFindingRows, type Finding } from './findings-queries';
import type { FindingsSearch } from './findings-search';

const none: ReadonlyMap<string, Finding> = new Map();

/** The list of findings: filters, the virtual table, the panel of one of them. */
export function Findings() {
  const search = useSearch({ from: '/findings' });
  const navigate = useNavigate({ from: '/findings' });
  const [shown, setShown] = useState<[number, number]>([0, 30]);
  const [cursor, setCursor] = useState(0);
  const [selected, setSelected] = useState(none);
  const [deciding, setDeciding] = useState<readonly Finding[] | null>(null);
  const grid = useRef<GridHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const mayWrite = useMay('write');
  const rows = useFindingRows(search, shown);
  const change = (next: Partial<FindingsSearch>) =>
    void navigate({ search: { ...search, ...next } });
  const open = (finding: string | undefined) =>
    void navigate({ search: { ...search, finding }, replace: search.finding !== undefined });

  const total = rows.total ?? 0;
  const move = (by: number) => {
    const next = Math.min(Math.max(cursor + by, 0), Math.max(total - 1, 0));
    setCursor(next);
    grid.current?.show(next);
    const at = rows.row(next);
    if (search.finding && at) open(at.id);
  };
  const toggle = (finding: Finding | undefined) => {
    if (!finding) return;
    const next = new Map(selected);
    if (!next.delete(finding.id)) next.set(finding.id, finding);
    setSelected(next);
  };
  const decide = () => {
    const current = rows.row(cursor);
    const chosen = selected.size > 0 ? [...selected.values()] : current ? [current] : [];
    const undecided = chosen.filter(({ status }) => status === 'open');
    if (mayWrite && undecided.length > 0) setDeciding(undecided);
  };
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    Enter: () => open(rows.row(cursor)?.id),
    Escape: () => (search.finding ? open(undefined) : setSelected(none)),
    x: () => toggle(rows.row(cursor)),
    d: decide,
  });

  return (
    <div className={styles.view}>
      <div className={styles.list}>
        <header className={styles.head}>
          <h1>
            {rows.total === undefined
              ? text.findings.loading
              : text.findings.title(formatNumber(rows.total), rows.total)}
          </h1>
          {rows.advisoryData && <DataNote data={rows.advisoryData} />}
        </header>
        <FilterBar search={search} searchBox={searchBox} />
        {rows.error && rows.total === undefined ? (
          <div className={styles.note}>
            <ErrorNote error={rows.error} onRetry={rows.retry} />
          </div>
        ) : (
          <FindingsGrid
            ref={grid}
            rows={rows}
            search={search}
            cursor={cursor}
            selected={selected}
            onShown={setShown}
            onCursor={setCursor}
            onOpen={open}
            onToggle={toggle}
            onSearch={change}
          />
        )}
        {selected.size > 0 && (
          <BulkBar
            count={selected.size}
            mayWrite={mayWrite}
            onAccept={decide}
            onClear={() => setSelected(none)}
          />
        )}
      </div>
      {search.finding && (
        <FindingPanel
          id={search.finding}
          onClose={() => open(undefined)}
          onAccept={mayWrite ? (finding) => setDeciding([finding]) : undefined}
        />
      )}
      {deciding && (
        <AcceptDialog
          findings={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            setDeciding(null);
            setSelected(none);
          }}
        />
      )}
      <Prefetch id={rows.row(cursor)?.id} />
    </div>
  );
}

/** The panel of the row under the cursor opens at once. */
function Prefetch({ id }: { id: string | undefined }) {
  useQuery({ ...findingDetail(id ?? ''), enabled: id !== undefined });
  return null;
}
