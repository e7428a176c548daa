import type { KeyboardEvent } from 'react';

interface GridKeys {
  /** By how many lines; beyond an end, to it. */
  onMove: (by: number) => void;
  onSelect: () => void;
  /** Opens (`true`) or closes the group of the current line. */
  onExpand?: (isOpen: boolean) => void;
}

/** Lines that a page of the keyboard goes over. */
const page = 15;

/** The keys of a grid that has the focus itself, as screen readers announce them; j, k and x do the same everywhere. */
export function gridKeys({ onMove, onSelect, onExpand }: GridKeys) {
  const acts: Record<string, (() => void) | undefined> = {
    ArrowDown: () => onMove(1),
    ArrowUp: () => onMove(-1),
    PageDown: () => onMove(page),
    PageUp: () => onMove(-page),
    Home: () => onMove(-Infinity),
    End: () => onMove(Infinity),
    ' ': onSelect,
    ArrowRight: onExpand && (() => onExpand(true)),
    ArrowLeft: onExpand && (() => onExpand(false)),
  };
  return (event: KeyboardEvent) => {
    const act = acts[event.key];
    const isOfControl = event.target !== event.currentTarget;
    if (!act || isOfControl || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}
