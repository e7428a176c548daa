import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { useShortcuts } from '../../components/shortcuts';
import { text } from '../../text/en';
import type { GridHandle } from './findings-grid';
import styles from './findings.module.css';
import type { Grouping } from './findings-search';
import { gridKeys } from './grid-keys';
import { GroupGrid } from './group-grid';
import { ListHead } from './list-head';
import type { ListProps } from './list-props';
import { NoFindings } from './no-findings';
import { readToSelect } from './selection';
import { useGroupLines } from './use-group-lines';

/** The list by vulnerability, package, service or project; a group opens to its findings. */
export function GroupedFindings(props: ListProps & { group: Grouping }) {
  const { search, group: by, selection, filters, onOpen, onDecide } = props;
  const queries = useQueryClient();
  const grid = useRef<GridHandle>(null);
  const [cursor, setCursor] = useState(0);
  const list = useGroupLines(search, by);
  const { groups } = list;
  const at = list.lineAt(cursor);
  // Rows of the view before are out of use.
  const current = at.kind === 'row' && !groups.isStale ? list.finding(at) : undefined;
  const move = (step: number) => {
    const next = Math.min(Math.max(cursor + step, 0), Math.max(list.count - 1, 0));
    setCursor(next);
    grid.current?.show(next);
    if (!search.finding) grid.current?.focus();
  };
  const selectGroup = async (group: number) => {
    const narrowed = list.searchOf(group);
    const total = groups.row(group)?.total ?? 0;
    if (!narrowed || total === 0 || groups.isStale) return;
    const { findings, isCut } = await readToSelect(queries, narrowed, [0, total - 1]);
    selection.toggleAll(findings, isCut);
  };
  const select = () => {
    if (at.kind === 'group') void selectGroup(at.group);
    else if (current) selection.toggle(current);
  };
  const expand = (isOpen: boolean) => {
    if (at.kind === 'group' && list.isOpen(at.group) !== isOpen) list.toggle(at.group);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      grid.current?.focus();
      if (at.kind === 'group') list.toggle(at.group);
      else onOpen(current?.id);
    },
    x: select,
    ...(selection.findings.size === 0 && current ? { d: () => onDecide([current]) } : {}),
  });
  const title =
    groups.total === undefined || groups.isStale
      ? text.findings.loading
      : text.findings.groupTitle[by](formatNumber(groups.total), groups.total);
  return (
    <>
      <ListHead title={title} search={search} advisoryData={groups.advisoryData} />
      {filters}
      {groups.error && (
        <div className={styles.note}>
          <ErrorNote error={groups.error} onRetry={groups.retry} />
        </div>
      )}
      {groups.error && groups.total === undefined ? null : groups.total === 0 && !groups.isStale ? (
        <NoFindings search={search} advisoryData={groups.advisoryData} />
      ) : (
        <GroupGrid
          ref={grid}
          by={by}
          list={list}
          search={search}
          selection={selection}
          cursor={cursor}
          onCursor={setCursor}
          onKeyDown={gridKeys({ onMove: move, onSelect: select, onExpand: expand })}
          onOpen={onOpen}
          onSelectGroup={(group) => void selectGroup(group)}
        />
      )}
    </>
  );
}
