import { useState } from 'react';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import type { Finding } from './findings-queries';

/** The most findings that are decided at once: each is a request of its own. */
export const mostSelected = 1_000;

export interface Selection {
  readonly findings: ReadonlyMap<string, Finding>;
  toggle: (finding: Finding) => void;
  /** Adds these, or takes all of them away if all are selected already. */
  toggleAll: (findings: readonly Finding[]) => void;
  add: (findings: readonly Finding[]) => void;
  clear: () => void;
}

const none: ReadonlyMap<string, Finding> = new Map();

/** The findings that are chosen for a decision, whatever the list shows meanwhile. */
export function useSelection(): Selection {
  const [findings, setFindings] = useState(none);
  const store = (next: Map<string, Finding>) => {
    if (next.size <= mostSelected) return setFindings(next);
    notify(text.findings.tooManySelected(mostSelected));
    setFindings(new Map([...next].slice(0, mostSelected)));
  };
  const add = (more: readonly Finding[]) => store(withAll(findings, more));
  const remove = (gone: readonly Finding[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    store(new Map([...findings].filter(([id]) => !ids.has(id))));
  };
  return {
    findings,
    add,
    toggle: (one) => (findings.has(one.id) ? remove([one]) : add([one])),
    toggleAll: (all) => (all.every(({ id }) => findings.has(id)) ? remove(all) : add(all)),
    clear: () => setFindings(none),
  };
}

function withAll(
  findings: ReadonlyMap<string, Finding>,
  more: readonly Finding[],
): Map<string, Finding> {
  return new Map([...findings, ...more.map((one) => [one.id, one] as const)]);
}
