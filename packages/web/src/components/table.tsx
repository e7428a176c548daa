import type { ReactNode } from 'react';
import { text } from '../text/en';
import { formatNumber } from './format';
import styles from './table.module.css';

export interface Column<T> {
  name: string;
  /** Numbers stand on the right. */
  align?: 'right';
  /** Left out on narrow screens. */
  secondary?: boolean;
  cell: (row: T) => ReactNode;
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Only the first `most` rows are shown, and the table says so. Without it all are. */
  most?: number;
  /** What it says then; without it how many of how many are shown. */
  cutNote?: (shown: string, total: string) => string;
  /** By its place, if nothing in a row tells it from others. */
  keyOf: (row: T, index: number) => string;
}

/** A plain dense table for at most some hundred rows; findings have a virtual one. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, most = Infinity, cutNote = text.common.firstRows, keyOf } = props;
  const classOf = ({ align, secondary }: Column<T>) =>
    [align === 'right' && styles.right, secondary && styles.secondary].filter(Boolean).join(' ');
  return (
    <>
      <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={classOf(column)}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, index) => (
              <tr key={keyOf(row, index)}>
                {columns.map((column) => (
                  <td key={column.name} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && <p>{cutNote(formatNumber(most), formatNumber(rows.length))}</p>}
    </>
  );
}
