import type { QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { readFindings, type Finding } from './findings-queries';
import type { FindingsSearch } from './findings-search';

/** The most findings that are decided at once: each is a request of its own. */
export const mostSelected = 1_000;

export interface Selection {
  readonly findings: ReadonlyMap<string, Finding>;
  toggle: (finding: Finding) => void;
  /** Adds these, or takes all of them away if all are selected already. `isCut`: there are others, which are left out. */
  toggleAll: (findings: readonly Finding[], isCut?: boolean) => void;
  add: (findings: readonly Finding[], isCut?: boolean) => void;
  clear: () => void;
}

const none: ReadonlyMap<string, Finding> = new Map();

/** The findings that are chosen for a decision, whatever the list shows meanwhile. */
export function useSelection(): Selection {
  const [findings, setFindings] = useState(none);
  /** The same, also for what was read while others were selected. */
  const current = useRef(none);
  const store = (next: ReadonlyMap<string, Finding>, isCut = false) => {
    if (isCut || next.size > mostSelected) notify(text.findings.tooManySelected(mostSelected));
    current.current = next.size > mostSelected ? new Map([...next].slice(0, mostSelected)) : next;
    setFindings(current.current);
  };
  const add = (more: readonly Finding[], isCut?: boolean) =>
    store(withAll(current.current, more), isCut);
  const remove = (gone: readonly Finding[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    store(new Map([...current.current].filter(([id]) => !ids.has(id))));
  };
  return {
    findings,
    add,
    toggle: (one) => (current.current.has(one.id) ? remove([one]) : add([one])),
    toggleAll: (all, isCut) =>
      all.every(({ id }) => current.current.has(id)) ? remove(all) : add(all, isCut),
    clear: () => store(none),
  };
}

/** Reads the rows `first` to `last` of a view to select them, as many as may be; says so if that fails. */
export async function readToSelect(
  queries: QueryClient,
  search: FindingsSearch,
  [first, last]: readonly [number, number],
): Promise<{ findings: Finding[]; isCut: boolean }> {
  const end = Math.min(last, first + mostSelected - 1);
  try {
    return { findings: await readFindings(queries, search, [first, end]), isCut: end < last };
  } catch {
    notify(text.findings.notSelected);
    return { findings: [], isCut: false };
  }
}

function withAll(
  findings: ReadonlyMap<string, Finding>,
  more: readonly Finding[],
): Map<string, Finding> {
  return new Map([...findings, ...more.map((one) => [one.id, one] as const)]);
}
