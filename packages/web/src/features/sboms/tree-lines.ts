import type { Schemas } from '../../api/client';

export type TreeNode = Schemas['DependencyNode'];

/** What has been read of what one component depends on. */
export interface TreeLevel {
  items: readonly TreeNode[];
  total: number;
}

/** One line of the tree. A component that several depend on has several. */
export type TreeLine =
  | {
      kind: 'node';
      /** Of the line: the ids from the root to the component. */
      key: string;
      node: TreeNode;
      /** From 1. */
      depth: number;
      isOpen: boolean;
      /** It stands above itself: what follows stands there. */
      isAgain: boolean;
      /** Its place among those beside it, from 1, and their number. */
      place: number;
      size: number;
    }
  | { kind: 'wait'; key: string; depth: number }
  | { kind: 'more'; key: string; depth: number; parent: string | null; left: number };

interface Opened {
  /** By the key of a line: opened or closed by hand. */
  byHand: ReadonlyMap<string, boolean>;
  /** null: the root. undefined: not read yet. */
  levelOf: (parent: string | null) => TreeLevel | undefined;
}

/** The visible lines of a tree, in order. What only leads on, and alone, is open by itself. */
export function treeLines(opened: Opened): TreeLine[] {
  const lines: TreeLine[] = [];
  const add = (parent: string | null, path: readonly string[]): void => {
    const level = opened.levelOf(parent);
    const depth = path.length + 1;
    const within = keyOf(path);
    if (!level) {
      lines.push({ kind: 'wait', key: `${within} wait`, depth });
      return;
    }
    for (const [at, node] of level.items.entries()) {
      const ids = [...path, node.id];
      const key = keyOf(ids);
      const isAgain = path.includes(node.id);
      const isAlone = level.total === 1 && !node.matches;
      const isOpen = node.children > 0 && !isAgain && (opened.byHand.get(key) ?? isAlone);
      const place = { place: at + 1, size: level.total };
      lines.push({ kind: 'node', key, node, depth, isOpen, isAgain, ...place });
      if (isOpen) add(node.id, ids);
    }
    const left = level.total - level.items.length;
    if (left > 0) lines.push({ kind: 'more', key: `${within} more`, depth, parent, left });
  };
  add(null, []);
  return lines;
}

/** Ids of the components whose levels the lines show. */
export function openParents(lines: readonly TreeLine[]): string[] {
  const open = lines.flatMap((line) => (line.kind === 'node' && line.isOpen ? [line.node.id] : []));
  return [...new Set(open)];
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** What a key of the tree pattern does: the line to go to, and the line to open or close. */
export interface TreeMove {
  to: number;
  set?: { key: string; isOpen: boolean };
}

/** Keys as the ARIA tree pattern has them; null: the key does nothing here. */
export function treeMove(lines: readonly TreeLine[], at: number, key: string): TreeMove | null {
  const line = lines[at];
  const last = lines.length - 1;
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, last) };
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: last };
    case 'ArrowRight':
      if (line?.kind !== 'node' || !canOpen(line)) return null;
      if (line.isOpen) return { to: at + 1 };
      return { to: at, set: { key: line.key, isOpen: true } };
    case 'ArrowLeft':
      if (line?.kind === 'node' && line.isOpen)
        return { to: at, set: { key: line.key, isOpen: false } };
      return line ? { to: aboveOf(lines, at, line.depth) } : null;
    default:
      return null;
  }
}

export function canOpen(line: Extract<TreeLine, { kind: 'node' }>): boolean {
  return line.node.children > 0 && !line.isAgain;
}

/** The line that depends on this one; itself at the top. */
function aboveOf(lines: readonly TreeLine[], at: number, depth: number): number {
  const above = lines.slice(0, at).findLastIndex((line) => line.depth < depth);
  return above === -1 ? at : above;
}
