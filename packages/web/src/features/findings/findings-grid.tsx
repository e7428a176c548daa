import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useImperativeHandle,
  useRef,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { formatNumber } from '../../components/format';
import { text } from '../../text/en';
import { columns, FindingRow } from './finding-row';
import styles from './findings.module.css';
import type { Finding } from './findings-queries';
import { sortedBy, type FindingsSearch } from './findings-search';
import { NoFindings } from './no-findings';
import type { FindingRows } from './use-finding-rows';
import { mostRows } from './windows';

const rowHeight = 36;
const headHeight = 32;

export interface GridHandle {
  /** Scrolls until the row is visible. */
  show: (row: number) => void;
  /** Gives the list the focus, so that Tab goes on from it. */
  focus: () => void;
}

interface GridProps {
  ref: Ref<GridHandle>;
  rows: FindingRows;
  search: FindingsSearch;
  cursor: number;
  selected: ReadonlyMap<string, Finding>;
  onShown: (rows: [number, number]) => void;
  onCursor: (row: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: (id: string) => void;
  onToggle: (row: number, finding: Finding, isRange: boolean) => void;
  onSearch: (search: FindingsSearch) => void;
}

/** The virtual table: only the rows on the screen exist, whatever the total. */
export function FindingsGrid(props: GridProps) {
  const { ref, rows, search, cursor, selected, onShown } = props;
  const frame = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.length ?? 12, mostRows);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: headHeight,
  });
  useImperativeHandle(ref, () => handleOf(virtual, frame), [virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onShown([first, last]), [first, last, onShown]);

  if (rows.total === 0 && !rows.isStale) {
    return <NoFindings search={search} advisoryData={rows.advisoryData} />;
  }
  return (
    <div
      ref={frame}
      className={rows.isStale ? `${styles.grid} ${styles.stale}` : styles.grid}
      role="grid"
      tabIndex={0}
      aria-label={text.findings.label}
      aria-rowcount={rows.total === undefined ? -1 : rows.total + 1}
      aria-busy={rows.length === undefined || rows.isStale}
      aria-activedescendant={rows.row(cursor) ? `finding-${cursor}` : undefined}
      onKeyDown={props.onKeyDown}
    >
      <GridHead search={search} onSearch={props.onSearch} />
      <div
        role="rowgroup"
        className={styles.body}
        style={{ height: virtual.getTotalSize() }}
        inert={rows.isStale}
      >
        {items.map(({ index, start }) => (
          <FindingRow
            key={index}
            index={index}
            top={start}
            finding={rows.row(index)}
            isCurrent={index === cursor}
            isOpen={search.finding !== undefined && rows.row(index)?.id === search.finding}
            isSelected={selected.has(rows.row(index)?.id ?? '')}
            onCursor={props.onCursor}
            onOpen={props.onOpen}
            onToggle={props.onToggle}
          />
        ))}
      </div>
      {(rows.total ?? 0) > mostRows && (
        <p className={styles.more}>{text.findings.more(formatNumber(mostRows))}</p>
      )}
    </div>
  );
}

/** How a list moves its grid. */
export function handleOf(
  virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>,
  frame: RefObject<HTMLDivElement | null>,
): GridHandle {
  return {
    show: (line) => virtual.scrollToIndex(line),
    focus: () => frame.current?.focus({ preventScroll: true }),
  };
}

interface HeadProps {
  search: FindingsSearch;
  onSearch: (search: FindingsSearch) => void;
}

function GridHead({ search, onSearch }: HeadProps) {
  const sorted = search.sort ?? 'risk';
  const direction = search.order === 'asc' ? 'ascending' : 'descending';
  return (
    <div role="rowgroup" className={styles.gridHead}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        {columns.map(({ name, sort, className }) => (
          <div
            key={name}
            role="columnheader"
            className={styles[className]}
            aria-sort={sort === sorted ? direction : undefined}
          >
            {sort ? (
              <button
                type="button"
                onClick={() => onSearch({ ...emptySort, ...sortedBy(search, sort) })}
              >
                {name}
                <span aria-hidden="true">
                  {sort === sorted ? (direction === 'ascending' ? ' ↑' : ' ↓') : ''}
                </span>
              </button>
            ) : (
              name || <span className="visually-hidden">{text.findings.select}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const emptySort: FindingsSearch = { sort: undefined, order: undefined } as FindingsSearch;
