import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { findingsWindow, type Finding } from './findings-queries';
import type { FindingsSearch, Grouping } from './findings-search';
import { countLines, lineAt, type GroupLine, type OpenGroup } from './group-lines';
import { groupsWindow, keyOfGroup, searchOfGroup, type Group } from './groups';
import { missingOf, useWindows, type Windowed } from './windowed';
import { groupWindowSize, mostRows, windowSize } from './windows';

type RowLine = Extract<GroupLine, { kind: 'row' }>;

export interface GroupLines {
  groups: Windowed<Group>;
  /** Lines of the list: groups, and what the open ones show. */
  count: number;
  lineAt: (index: number) => GroupLine;
  isOpen: (group: number) => boolean;
  toggle: (group: number) => void;
  /** The plain list of what a group counts; null: no filter says this, or it has not come yet. */
  searchOf: (group: number) => FindingsSearch | null;
  /** The finding of a row; undefined while it is on its way. */
  finding: (line: RowLine) => Finding | undefined;
  /** Whether the row is the last one of a group that has more findings than are shown. */
  isMore: (line: RowLine) => boolean;
  onShown: (first: number, last: number) => void;
}

/** The grouped list as lines; groups and the contents of open ones are fetched as they are shown. */
export function useGroupLines(search: FindingsSearch, by: Grouping): GroupLines {
  const [shown, setShown] = useState<[number, number]>([0, 30]);
  const [opened, setOpened] = useState<ReadonlyMap<string, number>>(new Map());
  const groups = useWindows((page) => groupsWindow(search, by, page), shown, groupWindowSize);
  const searchOf = (at: number) => {
    const group = groups.row(at);
    return group ? searchOfGroup(search, group, by) : null;
  };
  const open = openGroups(opened, groups.row);
  const pages = useQueries({
    queries: open.map(({ group }) => findingsWindow(searchOf(group) ?? search, 1)),
  });
  const { error, retry } = groups.error ? groups : missingOf(pages);
  const contents = new Map(open.map(({ group }, at) => [group, pages[at]?.data?.items]));
  return {
    groups: { ...groups, error, retry },
    count: countLines(Math.min(groups.length ?? 12, mostRows), open),
    lineAt: (index) => lineAt(index, open),
    isOpen: (at) => open.some(({ group }) => group === at),
    toggle: (at) => {
      const group = groups.row(at);
      if (!group || !searchOf(at)) return;
      const next = new Map(opened);
      if (!next.delete(keyOfGroup(group))) next.set(keyOfGroup(group), at);
      setOpened(next);
    },
    searchOf,
    finding: ({ group, row }) => contents.get(group)?.[row],
    isMore: ({ row }) => row === windowSize,
    onShown: (first, last) => {
      const next = [lineAt(first, open).group, lineAt(last, open).group] as const;
      if (next[0] !== shown[0] || next[1] !== shown[1]) setShown([...next]);
    },
  };
}

/** How far an open group is looked for that has moved, as after a decision. */
const searched = 2 * windowSize;

/** The open groups in order, with their lines; one that is not loaded counts as closed. */
function openGroups(
  opened: ReadonlyMap<string, number>,
  row: (index: number) => Group | undefined,
): OpenGroup[] {
  const isAt = (key: string, at: number) => {
    const group = row(at);
    return group !== undefined && keyOfGroup(group) === key;
  };
  return [...opened]
    .flatMap(([key, last]) => {
      const near = Array.from({ length: searched }, (_, at) => at);
      const at = isAt(key, last) ? last : near.find((one) => isAt(key, one));
      const total = at === undefined ? 0 : (row(at)?.total ?? 0);
      if (at === undefined) return [];
      return [{ group: at, rows: Math.min(total, windowSize) + (total > windowSize ? 1 : 0) }];
    })
    .sort((one, other) => one.group - other.group);
}

/** Tells the list which lines are on the screen. */
export function useShownLines({ onShown }: GroupLines, first: number, last: number): void {
  useEffect(() => onShown(first, last));
}
