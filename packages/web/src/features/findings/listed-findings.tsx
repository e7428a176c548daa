import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { useShortcuts } from '../../components/shortcuts';
import { usePainted } from '../../components/use-painted';
import { text } from '../../text/en';
import { FindingsGrid, type GridHandle } from './findings-grid';
import styles from './findings.module.css';
import { findingDetail, type Finding } from './findings-queries';
import { queryOf } from './findings-search';
import { gridKeys } from './grid-keys';
import { ListHead } from './list-head';
import type { ListProps } from './list-props';
import { readToSelect } from './selection';
import { useFindingRows } from './use-finding-rows';

/** The plain list: one line a finding. */
export function ListedFindings({ search, selection, filters, onOpen, onDecide }: ListProps) {
  const navigate = useNavigate({ from: '/findings' });
  const queries = useQueryClient();
  const [shown, setShown] = useState<[number, number]>([0, 30]);
  const [cursor, setCursor] = useState(0);
  const list = JSON.stringify(queryOf(search));
  /** Where a range begins: the row that was selected last in this list. */
  const anchor = useRef({ list, row: 0 });
  const grid = useRef<GridHandle>(null);
  const rows = useFindingRows(search, shown);
  // Rows of the view before are out of use.
  const current = rows.isStale ? undefined : rows.row(cursor);

  const move = (by: number) => {
    const next = Math.min(Math.max(cursor + by, 0), Math.max((rows.length ?? 0) - 1, 0));
    setCursor(next);
    grid.current?.show(next);
    if (!search.finding) grid.current?.focus();
    const at = rows.row(next);
    if (search.finding && at) onOpen(at.id);
  };
  const toggle = (row: number, finding: Finding) => {
    anchor.current = { list, row };
    selection.toggle(finding);
  };
  const selectTo = async (row: number) => {
    if (rows.isStale) return;
    const from = anchor.current.list === list ? anchor.current.row : 0;
    const range = [Math.min(from, row), Math.max(from, row)] as const;
    const { findings, isCut } = await readToSelect(queries, search, range);
    selection.add(findings, isCut);
  };
  const select = () => current && toggle(cursor, current);
  const open = () => {
    grid.current?.focus();
    onOpen(current?.id);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: open,
    x: select,
    X: () => void selectTo(cursor),
    ...(selection.findings.size === 0 && current ? { d: () => onDecide([current]) } : {}),
  });
  const uncounted =
    rows.length === undefined || rows.isStale ? text.findings.loading : text.findings.counting;
  const title =
    rows.total === undefined || rows.isStale
      ? uncounted
      : text.findings.title(formatNumber(rows.total), rows.total);
  return (
    <>
      <ListHead title={title} search={search} advisoryData={rows.advisoryData} />
      {filters}
      {rows.error && (
        <div className={styles.note}>
          <ErrorNote error={rows.error} onRetry={rows.retry} />
        </div>
      )}
      {(!rows.error || rows.length !== undefined) && (
        <FindingsGrid
          ref={grid}
          rows={rows}
          search={search}
          cursor={cursor}
          selected={selection.findings}
          onShown={setShown}
          onCursor={setCursor}
          onKeyDown={gridKeys({ onMove: move, onSelect: select })}
          onOpen={onOpen}
          onToggle={(row, finding, isRange) =>
            isRange ? void selectTo(row) : toggle(row, finding)
          }
          onSearch={(next) => void navigate({ search: { ...search, ...next } })}
        />
      )}
      <Prefetch id={current?.id} />
    </>
  );
}

/** The panel of the row under the cursor opens at once. */
function Prefetch({ id }: { id: string | undefined }) {
  useQuery({ ...findingDetail(id ?? ''), enabled: usePainted(id !== undefined) });
  return null;
}
