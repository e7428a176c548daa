import { useQueries, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { placeOf, windowsOf } from './windows';

interface Window {
  items: readonly unknown[];
  total: number;
  advisory_data: Schemas['AdvisoryData'];
}

/** A long list of which only the windows on the screen are fetched. */
export interface Windowed<T> {
  /** undefined until the first window has come. */
  total: number | undefined;
  advisoryData: Schemas['AdvisoryData'] | undefined;
  /** The row, or undefined while its window is on its way. */
  row: (index: number) => T | undefined;
  /** What is shown belongs to the view before: the answer is on its way. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
}

/**
 * Reads the windows of the rows that are shown, and always the first one, which has the total.
 *
 * @param windowOf the query of a window; windows count from 1
 */
export function useWindows<W extends Window, K extends readonly unknown[]>(
  windowOf: (window: number) => UseQueryOptions<W, Error, W, K>,
  shown: [number, number],
): Windowed<W['items'][number]> {
  const first = useQuery(windowOf(1));
  const windows = windowsOf(...shown);
  const pages = useQueries({ queries: windows.map((page) => windowOf(page)) });
  const byWindow = new Map(windows.map((window, at) => [window, pages[at]?.data?.items]));
  byWindow.set(1, first.data?.items);
  return {
    total: first.data?.total,
    advisoryData: first.data?.advisory_data,
    row: (index) => {
      const { window, at } = placeOf(index);
      return byWindow.get(window)?.[at];
    },
    isStale: first.isPlaceholderData,
    error: first.error ?? pages.find(({ error }) => error)?.error ?? null,
    retry: () => void first.refetch(),
  };
}
