import { useQueries, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { placeOf, windowSize, windowsOf } from './windows';

interface Window {
  items: readonly unknown[];
  /** null: not counted. */
  total: number | null;
  has_more: boolean;
  advisory_data: Schemas['AdvisoryData'];
}

/** A long list of which only the windows on the screen are fetched. */
export interface Windowed<T> {
  /** undefined until it is counted. */
  total: number | undefined;
  /** How many rows there are at least; the total, once it is known. undefined until the first window has come. */
  length: number | undefined;
  advisoryData: Schemas['AdvisoryData'] | undefined;
  /** The row, or undefined while its window is on its way. */
  row: (index: number) => T | undefined;
  /** What is shown belongs to the view before: the answer is on its way. */
  isStale: boolean;
  /** Why rows that are shown cannot be read; without it they are on their way. */
  error: unknown;
  retry: () => void;
}

/** A query as far as it can fail; data that are there already stay. */
interface Failing {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
}

/** Why data are missing, and how they are asked for again. */
export function missingOf(queries: readonly Failing[]): Pick<Windowed<never>, 'error' | 'retry'> {
  const missing = queries.filter(({ data, error }) => error && data === undefined);
  return {
    error: missing[0]?.error ?? null,
    retry: () => missing.forEach(({ refetch }) => void refetch()),
  };
}

/**
 * Reads the windows of the rows that are shown, and always the first one, which has the total if it costs nothing.
 *
 * @param windowOf the query of a window; windows count from 1
 * @param size rows of a window
 */
export function useWindows<W extends Window, K extends readonly unknown[]>(
  windowOf: (window: number) => UseQueryOptions<W, Error, W, K>,
  shown: [number, number],
  size = windowSize,
): Windowed<W['items'][number]> {
  const first = useQuery(windowOf(1));
  const windows = windowsOf(...shown, size);
  const pages = useQueries({ queries: windows.map((page) => windowOf(page)) });
  const byWindow = new Map(windows.map((window, at) => [window, pages[at]?.data?.items]));
  byWindow.set(1, first.data?.items);
  const read = [first, ...pages].map(({ data }, at): Read => {
    return { data, from: ((windows[at - 1] ?? 1) - 1) * size };
  });
  const total = first.data?.total ?? endOf(read);
  return {
    total,
    length: total ?? (first.data && Math.max(...read.map((one) => reachOf(one, size)))),
    advisoryData: first.data?.advisory_data,
    row: (index) => {
      const { window, at } = placeOf(index, size);
      return byWindow.get(window)?.[at];
    },
    isStale: first.isPlaceholderData,
    ...missingOf([first, ...pages]),
  };
}

interface Read {
  data: Window | undefined;
  /** Its first row. */
  from: number;
}

/** The number of rows, if the last window has been read. */
function endOf(read: readonly Read[]): number | undefined {
  const last = read.find(
    ({ data, from }) => data?.has_more === false && (data.items.length > 0 || from === 0),
  );
  return last?.data && last.from + last.data.items.length;
}

/** The rows up to the end of a window, and another window of rows if there are more: it is read when it is reached. */
function reachOf({ data, from }: Read, size: number): number {
  return data ? from + data.items.length + (data.has_more ? size : 0) : 0;
}
