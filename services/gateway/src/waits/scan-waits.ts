/** One caller that waits until the scan of an SBOM is over. */
export interface ScanWait {
  /** Resolves when it is told to be over, when nobody waits any more, or after this time; never rejects. */
  over(maxMs: number): Promise<void>;
  /** Must be called, in whatever way the wait ends. */
  end(): void;
}

export type ScanWaits = ReturnType<typeof createScanWaits>;

/**
 * Who waits in this process for which SBOM. A wait costs a place in a map and a timer; it ends by a word of
 * the catalog, and because a word may be missed, by a question for all that wait, from time to time.
 *
 * @param limits.total so many at once; whoever comes then does not wait
 * @param limits.perKey so many of one API key, which leaves places to others
 */
export function createScanWaits(limits: { total: number; perKey: number }) {
  const waiting = new Map<string, Set<() => void>>();
  const byKey = new Map<string, number>();
  let count = 0;
  let closed = false;

  return {
    /**
     * Begins to listen, before the state of the SBOM is read: what is told in between is not missed.
     * Null: too many wait already, in all or with this key, or the process ends.
     */
    begin(sbomId: string, keyId: string): ScanWait | null {
      const ofKey = byKey.get(keyId) ?? 0;
      if (closed || count >= limits.total || ofKey >= limits.perKey) return null;
      let isOver = false;
      let wake = (): void => undefined;
      const told = (): void => {
        isOver = true;
        wake();
      };
      const others = waiting.get(sbomId) ?? new Set();
      waiting.set(sbomId, others.add(told));
      count += 1;
      byKey.set(keyId, ofKey + 1);
      return {
        over: (maxMs) =>
          new Promise((resolve) => {
            if (isOver) return resolve();
            const timer = setTimeout(resolve, maxMs);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          }),
        end() {
          if (!others.delete(told)) return;
          count -= 1;
          const left = (byKey.get(keyId) ?? 1) - 1;
          if (left === 0) byKey.delete(keyId);
          else byKey.set(keyId, left);
          told();
          if (others.size === 0 && waiting.get(sbomId) === others) waiting.delete(sbomId);
        },
      };
    },

    /** The scans of these are over. */
    tell(sbomIds: readonly string[]): void {
      for (const sbomId of sbomIds) for (const told of waiting.get(sbomId) ?? []) told();
    },

    /** The SBOMs for which somebody waits. */
    sbomIds: (): string[] => [...waiting.keys()],

    /** How many wait. */
    count: (): number => count,

    /** Nobody waits any more, and nobody will. */
    close(): void {
      closed = true;
      for (const told of [...waiting.values()].flatMap((those) => [...those])) told();
    },
  };
}
