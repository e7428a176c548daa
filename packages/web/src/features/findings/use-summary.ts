import { useQuery } from '@tanstack/react-query';
import { usePainted } from '../../components/use-painted';
import { findingsWindow, summaryOf } from './findings-queries';
import type { FindingsSearch } from './findings-search';
import { groupsWindow } from './groups';

/**
 * The counts of what is open with the filters of a view, whatever the severity; none for other states. They are
 * asked for once the first rows or groups have come: counting takes longer, and would hold these up.
 */
export function useSummary(search: FindingsSearch) {
  const { group, status } = search;
  const rows = useQuery({ ...findingsWindow(search, 1), enabled: !group });
  const groups = useQuery({
    ...groupsWindow(search, group ?? 'vulnerability', 1),
    enabled: !!group,
  });
  const first = group ? groups : rows;
  const isPainted = usePainted(!first.isPending && !first.isPlaceholderData);
  const enabled = !status && isPainted;
  return useQuery({ ...summaryOf(search), enabled });
}
