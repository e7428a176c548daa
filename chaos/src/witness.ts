/** Where what the product shows is not what was acknowledged, or not in time. */
export interface Difference {
  kind: 'lost' | 'double' | 'differs' | 'late' | 'failed';
  what: string;
}

/** Notes what was acknowledged, and what turned out to be wrong. */
export interface Witness {
  acknowledged(operation: string): void;
  /** An answer that is not known, or that says to come again: the same is asked once more. */
  repeated(reason: string): void;
  differs(kind: Difference['kind'], what: string): void;
  readonly operations: ReadonlyMap<string, number>;
  readonly repeats: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

export function createWitness(say: (line: string) => void): Witness {
  const operations = new Map<string, number>();
  const repeats = new Map<string, number>();
  const differences: Difference[] = [];
  return {
    acknowledged: (operation) => countIn(operations, operation),
    repeated: (reason) => countIn(repeats, reason),
    differs(kind, what) {
      differences.push({ kind, what });
      say(`${kind}: ${what}`);
    },
    operations,
    repeats,
    differences,
  };
}

/** One more of these. */
export function countIn(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
