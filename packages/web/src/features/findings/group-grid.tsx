import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, useRef, type KeyboardEvent, type Ref } from 'react';
import { formatNumber } from '../../components/format';
import { text } from '../../text/en';
import { FindingRow } from './finding-row';
import { handleOf, type GridHandle } from './findings-grid';
import styles from './findings.module.css';
import type { FindingsSearch, Grouping } from './findings-search';
import type { GroupLine } from './group-lines';
import { GroupRow } from './group-row';
import groupStyles from './groups.module.css';
import type { Selection } from './selection';
import { useShownLines, type GroupLines } from './use-group-lines';

const groupHeight = 44;
const rowHeight = 36;

interface GroupGridProps {
  ref: Ref<GridHandle>;
  by: Grouping;
  list: GroupLines;
  search: FindingsSearch;
  selection: Selection;
  cursor: number;
  onCursor: (line: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: (id: string) => void;
  onSelectGroup: (group: number) => void;
}

/** The virtual table of groups and of the findings of open ones. */
export function GroupGrid(props: GroupGridProps) {
  const { ref, by, list, cursor } = props;
  const { groups } = list;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: list.count,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (list.lineAt(index).kind === 'group' ? groupHeight : rowHeight),
    getItemKey: (index) => keyOfLine(list.lineAt(index)),
    overscan: 10,
  });
  useImperativeHandle(ref, () => handleOf(virtual, frame), [virtual]);
  const items = virtual.getVirtualItems();
  useShownLines(list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  return (
    <div
      ref={frame}
      className={groups.isStale ? `${styles.grid} ${styles.stale}` : styles.grid}
      role="treegrid"
      tabIndex={0}
      aria-label={text.findings.groups[by]}
      aria-rowcount={list.count}
      aria-busy={groups.total === undefined || groups.isStale}
      aria-activedescendant={groups.total ? `finding-${cursor}` : undefined}
      onKeyDown={props.onKeyDown}
    >
      <div
        role="rowgroup"
        className={styles.body}
        style={{ height: virtual.getTotalSize() }}
        inert={groups.isStale}
      >
        {items.map(({ key, index, start }) => (
          <Line key={key} {...props} index={index} top={start} />
        ))}
      </div>
    </div>
  );
}

function keyOfLine(line: GroupLine): string {
  return line.kind === 'group' ? `${line.group}` : `${line.group}.${line.row}`;
}

function Line(props: GroupGridProps & { index: number; top: number }) {
  const { list, index, top, by, selection, search, cursor, onCursor } = props;
  const line = list.lineAt(index);
  const group = list.groups.row(line.group);
  const narrowed = list.searchOf(line.group);
  if (line.kind === 'group') {
    return (
      <GroupRow
        by={by}
        group={group}
        index={index}
        top={top}
        isOpen={list.isOpen(line.group)}
        isCurrent={index === cursor}
        narrowed={narrowed}
        onOpen={() => {
          onCursor(index);
          list.toggle(line.group);
        }}
        onSelect={() => props.onSelectGroup(line.group)}
      />
    );
  }
  if (list.isMore(line)) {
    const place = { transform: `translateY(${top}px)` };
    return (
      <div role="row" aria-level={2} className={styles.row} style={place}>
        <div role="gridcell" className={groupStyles.more}>
          <Link to="/findings" search={narrowed ?? {}}>
            {text.findings.groupMore(formatNumber(group?.total ?? 0))}
          </Link>
        </div>
      </div>
    );
  }
  const finding = list.finding(line);
  return (
    <FindingRow
      index={index}
      level={2}
      top={top}
      finding={finding}
      isCurrent={index === cursor}
      isOpen={finding !== undefined && finding.id === search.finding}
      isSelected={selection.findings.has(finding?.id ?? '')}
      onCursor={onCursor}
      onOpen={props.onOpen}
      onToggle={(_, one) => selection.toggle(one)}
    />
  );
}
