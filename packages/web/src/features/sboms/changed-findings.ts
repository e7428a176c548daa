interface Identified {
  id: string;
}

/** Findings that only the later, and only the earlier of two SBOMs of one service has. */
export function changedFindings<T extends Identified>(
  earlier: readonly T[],
  later: readonly T[],
): { opened: T[]; gone: T[] } {
  const before = new Set(earlier.map(({ id }) => id));
  const after = new Set(later.map(({ id }) => id));
  return {
    opened: later.filter(({ id }) => !before.has(id)),
    gone: earlier.filter(({ id }) => !after.has(id)),
  };
}
