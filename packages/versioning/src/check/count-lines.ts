import type { FileResult } from './check-folder';
import type { Fact } from './fact-line';

export interface LineCounts {
  facts: number;
  unreadable: number;
  disputed: number;
  wrong: number;
}

/**
 * Distinct lines of files, each counted once however many ecosystems it was evaluated for; a line
 * counts as unreadable, disputed or wrong when it is so for any of them.
 */
export function countLines(results: readonly FileResult[]): LineCounts {
  const sizes = new Map(results.map(({ file, facts }) => [file, facts]));
  return {
    facts: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    unreadable: distinct(results, ({ unreadable }) => unreadable.map(({ fact }) => fact)),
    disputed: distinct(results, ({ disputed }) => disputed),
    wrong: distinct(results, ({ wrong }) => wrong.map(({ fact }) => fact)),
  };
}

function distinct(
  results: readonly FileResult[],
  pick: (result: FileResult) => readonly Fact[],
): number {
  const locations = results.flatMap((result) =>
    pick(result).map(({ line }) => `${result.file}:${line}`),
  );
  return new Set(locations).size;
}
