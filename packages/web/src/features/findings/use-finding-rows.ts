import { useQuery } from '@tanstack/react-query';
import { usePainted } from '../../components/use-painted';
import { countOf, findingsWindow, type Finding } from './findings-queries';
import { chosenSeverities, type FindingsSearch } from './findings-search';
import { useSummary } from './use-summary';
import { missingOf, useWindows, type Windowed } from './windowed';
import { windowSize, windowsOf } from './windows';

export type FindingRows = Windowed<Finding>;

/**
 * The rows of a view that are on the screen (`first` to `last`), fetched in windows. The total is that of the
 * summary, which the chips show, or of the windows if they have it.
 */
export function useFindingRows(search: FindingsSearch, shown: [number, number]): FindingRows {
  const rows = useWindows((page) => findingsWindow(search, page), shown);
  const isOpen = !search.status;
  const isUnknown = rows.length !== undefined && rows.total === undefined;
  const summary = useSummary(search);
  const isPainted = usePainted(!isOpen && isUnknown && !rows.isStale);
  const counted = useQuery({ ...countOf(search), enabled: isPainted });
  const chosen = chosenSeverities(search);
  const { data } = summary;
  const named = data && chosen.reduce((sum, one) => sum + data[one], 0);
  const ofSummary = chosen.length > 0 ? named : data?.total;
  const total = rows.total ?? (isOpen ? ofSummary : counted.data?.total);
  const failed = rows.error ? rows : missingOf([summary, counted]);
  const { error, retry } = failed;
  const all = { ...rows, total, length: total ?? rows.length, error, retry };
  useNextWindow(search, shown, all);
  return all;
}

/** Reads the window after those on the screen once these are there, so that scrolling does not wait for it. */
function useNextWindow(search: FindingsSearch, shown: [number, number], rows: FindingRows): void {
  const next = (windowsOf(...shown).at(-1) ?? 0) + 1;
  const isThere = rows.row(shown[1]) !== undefined && !rows.isStale;
  const isNext = isThere && (rows.length ?? 0) > (next - 1) * windowSize;
  useQuery({ ...findingsWindow(search, next), enabled: usePainted(isNext) });
}
