import type { ReceivedSpan } from '@bomtrail/testkit';

/** Children of one span that are shown one by one, where they are alike. */
const alikeShown = 1;

/**
 * A trace as a tree, a line a span: its service and name. Spans that are alike and have no parts, such as
 * commands to MongoDB, are one line with their number.
 */
export function traceTree(spans: readonly ReceivedSpan[]): string {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentId }) => parentId === null || !ids.has(parentId));
  return roots.flatMap((root) => linesOf(root, spans)).join('\n');
}

function linesOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parts = spans.filter(({ parentId }) => parentId === span.spanId);
  const shown = new Map<string, { first: ReceivedSpan; count: number }>();
  for (const part of parts) {
    const isLeaf = !spans.some(({ parentId }) => parentId === part.spanId);
    const key = isLeaf ? title(part) : part.spanId;
    const known = shown.get(key);
    if (known) known.count += 1;
    else shown.set(key, { first: part, count: 1 });
  }
  const below = [...shown.values()].map(({ first, count }) => {
    const [head = '', ...rest] = linesOf(first, spans);
    return [count > alikeShown ? `${head} ×${count}` : head, ...rest];
  });
  return [
    title(span),
    ...below.flatMap((lines, place) => {
      const isLast = place === below.length - 1;
      return lines.map((line, at) => {
        if (at === 0) return `${isLast ? '└─ ' : '├─ '}${line}`;
        return `${isLast ? '   ' : '│  '}${line}`;
      });
    }),
  ];
}

function title({ service, name }: ReceivedSpan): string {
  return `${service.replace(/^bomtrail-/, '')}: ${name}`;
}
