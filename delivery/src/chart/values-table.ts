/** A row of the table of values. */
export interface Row {
  /** `gateway.env` */
  readonly key: string;
  /** As JSON; empty for a block whose keys have rows of their own. */
  readonly value: string;
  readonly text: string;
}

/** Values without a comment. */
export class UndocumentedValues extends Error {
  constructor(readonly keys: readonly string[]) {
    super(`values.yaml says nothing about ${keys.join(', ')}`);
  }
}

/**
 * Creates the table of a chart's values: a row per key with a comment directly above it.
 *
 * @param source values.yaml as text, two spaces per level
 * @param values the same, parsed
 * @throws UndocumentedValues
 */
export function valuesTable(source: string, values: Record<string, unknown>): Row[] {
  const comments = commentsByKey(source);
  const rows: Row[] = [];
  const bare: string[] = [];
  const visit = (key: string, value: unknown): void => {
    const text = comments.get(key);
    const deeper = [...comments.keys()].some((other) => other.startsWith(`${key}.`));
    if (deeper) {
      if (text !== undefined) rows.push({ key, value: '', text });
      for (const [name, child] of Object.entries(value as object)) visit(`${key}.${name}`, child);
    } else if (text === undefined) bare.push(key);
    else rows.push({ key, value: JSON.stringify(value), text });
  };
  for (const [name, value] of Object.entries(values)) visit(name, value);
  if (bare.length > 0) throw new UndocumentedValues(bare);
  return rows;
}

/** Returns the comments of a YAML file by the following key: `gateway.env`. */
function commentsByKey(source: string): Map<string, string> {
  const found = new Map<string, string>();
  const path: string[] = [];
  let comment: string[] = [];
  for (const line of source.split('\n')) {
    const said = /^\s*# (.*)$/.exec(line)?.[1];
    const [, indent = '', name] = /^( *)([A-Za-z][\w-]*):/.exec(line) ?? [];
    if (said !== undefined) comment.push(said);
    else {
      if (name !== undefined) {
        path.length = indent.length / 2;
        path.push(name);
        if (comment.length > 0) found.set(path.join('.'), comment.join(' '));
      }
      comment = [];
    }
  }
  return found;
}

/** Formats the rows as a Markdown table, aligned as the formatter does. */
export function asMarkdown(rows: readonly Row[]): string {
  const cells = [
    ['value', 'default', 'what it is'],
    ...rows.map(({ key, value, text }) => [code(key), value === '' ? '' : code(value), text]),
  ].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = [0, 1, 2].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

const between = /(<!-- values -->\n)[\s\S]*?(\n<!-- end of values -->)/;

/** Inserts the table into a document. @throws Error without a marker for it */
export function withTable(document: string, table: string): string {
  if (!between.test(document))
    throw new Error('The document has no place for the table of values.');
  return document.replace(between, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
}
