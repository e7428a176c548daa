/** One caller that waits for the end of a scan. */
export interface ScanWait {
  /**
   * Resolves when the scan is finished, the wait ends, or `maxMs` has passed; never rejects. True: the scan is
   * known to be finished.
   */
  over(maxMs: number): Promise<boolean>;
  /** Must be called in any case. */
  end(): void;
}

export type ScanWaits = ReturnType<typeof createScanWaits>;

type Wake = (isFinished: boolean) => void;

/**
 * Callers of this process that wait for scans. A wait takes a map entry and a timer; a broadcast of
 * the catalog or a periodic poll ends it.
 *
 * @param limits.total maximum waits; further callers do not wait
 * @param limits.perKey maximum waits per API key
 */
export function createScanWaits(limits: { total: number; perKey: number }) {
  const waiting = new Map<string, Set<Wake>>();
  const byKey = new Map<string, number>();
  let count = 0;
  let closed = false;

  return {
    /**
     * Registers a wait; call it before reading the state of the SBOM, so that no broadcast is
     * missed. Null: too many waits, in total or with this key, or the process stops.
     */
    begin(sbomId: string, keyId: string): ScanWait | null {
      const ofKey = byKey.get(keyId) ?? 0;
      if (closed || count >= limits.total || ofKey >= limits.perKey) return null;
      let end: { isFinished: boolean } | undefined;
      let wake: Wake = () => undefined;
      const told: Wake = (isFinished) => {
        end ??= { isFinished };
        wake(isFinished);
      };
      const others = waiting.get(sbomId) ?? new Set<Wake>();
      waiting.set(sbomId, others.add(told));
      count += 1;
      byKey.set(keyId, ofKey + 1);
      return {
        over: (maxMs) =>
          new Promise((resolve) => {
            if (end) return resolve(end.isFinished);
            const timer = setTimeout(resolve, maxMs, false);
            wake = (isFinished) => {
              clearTimeout(timer);
              resolve(isFinished);
            };
          }),
        end() {
          if (!others.delete(told)) return;
          count -= 1;
          const left = (byKey.get(keyId) ?? 1) - 1;
          if (left === 0) byKey.delete(keyId);
          else byKey.set(keyId, left);
          told(false);
          if (others.size === 0 && waiting.get(sbomId) === others) waiting.delete(sbomId);
        },
      };
    },

    /** Ends the waits for these SBOMs, whose scans are finished. */
    finish(sbomIds: readonly string[]): void {
      for (const sbomId of sbomIds) for (const told of waiting.get(sbomId) ?? []) told(true);
    },

    /** SBOMs with waiting callers. */
    sbomIds: (): string[] => [...waiting.keys()],

    /** Number of waits. */
    count: (): number => count,

    /** Ends all waits and rejects new ones. */
    close(): void {
      closed = true;
      for (const told of [...waiting.values()].flatMap((those) => [...those])) told(false);
    },
  };
}
