import { openParents, treeLines, treeMove, type TreeLevel, type TreeNode } from './tree-lines';

const node = (id: string, children = 0, matches = true): TreeNode => {
  return { id, name: id, version: '1', purl: null, children, matches };
};
const level = (...items: TreeNode[]): TreeLevel => ({ items, total: items.length });
const levels: Record<string, TreeLevel> = {
  root: level(node('a', 2), node('b')),
  a: level(node('c', 1), node('d')),
  c: level(node('a', 2)),
};
const linesOf = (open: Record<string, boolean>, of = levels) =>
  treeLines({
    byHand: new Map(Object.entries(open)),
    levelOf: (parent) => of[parent ?? 'root'],
  });
const said = (lines: ReturnType<typeof linesOf>) =>
  lines.map((line) => `${line.depth} ${line.kind === 'node' ? line.node.id : line.kind}`);

const [a, c] = ['["a"]', '["a","c"]'];

test('lines are what is open, in order, with places among those beside them', () => {
  expect(said(linesOf({}))).toEqual(['1 a', '1 b']);
  const lines = linesOf({ [a]: true });
  expect(said(lines)).toEqual(['1 a', '2 c', '2 d', '1 b']);
  expect(lines[2]).toMatchObject({ place: 2, size: 2, isOpen: false });
  expect(openParents(lines)).toEqual(['a']);
});

test('a component below itself does not open again', () => {
  const lines = linesOf({ [a]: true, [c]: true, '["a","c","a"]': true });
  expect(said(lines)).toEqual(['1 a', '2 c', '3 a', '2 d', '1 b']);
  expect(lines[2]).toMatchObject({ isAgain: true, isOpen: false });
});

test('a level that is not read waits, and one that is read in part has a line for the rest', () => {
  expect(said(linesOf({ [a]: true }, { root: levels['root'] as TreeLevel }))).toEqual([
    ...['1 a', '2 wait', '1 b'],
  ]);
  const part = { root: { items: [node('a')], total: 7 } };
  expect(linesOf({}, part).at(-1)).toMatchObject({ kind: 'more', parent: null, left: 6 });
});

test('what only leads on, and alone, is open by itself, until it is closed', () => {
  const found = { root: level(node('a', 1, false)), a: level(node('c', 0)) };
  expect(said(linesOf({}, found))).toEqual(['1 a', '2 c']);
  expect(said(linesOf({ [a]: false }, found))).toEqual(['1 a']);
});

test('keys move as the tree pattern has it', () => {
  const closed = linesOf({});
  const open = linesOf({ [a]: true });
  expect(treeMove(closed, 0, 'ArrowRight')).toEqual({ to: 0, set: { key: a, isOpen: true } });
  expect(treeMove(open, 0, 'ArrowRight')).toEqual({ to: 1 });
  expect(treeMove(open, 2, 'ArrowRight')).toBeNull();
  expect(treeMove(open, 2, 'ArrowLeft')).toEqual({ to: 0 });
  expect(treeMove(open, 0, 'ArrowLeft')).toEqual({ to: 0, set: { key: a, isOpen: false } });
  expect(treeMove(closed, 1, 'ArrowLeft')).toEqual({ to: 1 });
  expect(treeMove(open, 3, 'ArrowDown')).toEqual({ to: 3 });
  expect(treeMove(open, 0, 'ArrowUp')).toEqual({ to: 0 });
  expect(treeMove(open, 2, 'Home')).toEqual({ to: 0 });
  expect(treeMove(open, 0, 'End')).toEqual({ to: 3 });
  expect(treeMove(open, 0, 'x')).toBeNull();
});
