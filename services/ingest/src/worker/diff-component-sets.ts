import { gunzipSync, gzipSync } from 'node:zlib';
import { diffComponents, type Component } from '../domain/diff-components';

/** Two component sets, each a gzip'd JSON array of dependencies. */
export interface DiffTask {
  from: Uint8Array;
  to: Uint8Array;
}

export interface DiffOutcome {
  /** Lengths of the arrays. */
  counts: { added: number; removed: number; changed: number };
  /** JSON of a `ComponentsDiff`, gzip'd. */
  packed: Uint8Array;
}

/** The result is read once, usually over a fast network. */
const gzipLevel = 1;

/** Worker thread: compares two component sets. */
export default function diffComponentSets(task: DiffTask): DiffOutcome {
  const diff = diffComponents(read(task.from), read(task.to));
  return {
    counts: {
      added: diff.added.length,
      removed: diff.removed.length,
      changed: diff.changed.length,
    },
    packed: gzipSync(JSON.stringify(diff), { level: gzipLevel }),
  };
}

function read(packed: Uint8Array): Component[] {
  return JSON.parse(gunzipSync(packed).toString('utf8')) as Component[];
}
