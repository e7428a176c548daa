import { Readable } from 'node:stream';
import { csvLines, type CsvColumn } from '@bomtrail/csv';
import type { Reply } from '../http/call';
import { patiently } from '../shared/patiently';

/** The format of a list; JSON unless CSV is asked for. */
export interface ListFormat {
  format?: 'json' | 'csv';
}

/**
 * Streams a whole list as CSV. The next part is read when the client has taken the one before, so that a slow
 * one holds no more than that, and nothing behind.
 *
 * @param parts of the list; an error of the first one is the response, a later one ends the connection
 * @param name of the file; `unsaid`: once the first part is read, what the rows do not say, for `Warning`
 */
export async function csvReply<Item>(
  parts: AsyncIterable<readonly Item[]>,
  {
    name,
    columns,
    unsaid = () => null,
  }: { name: string; columns: readonly CsvColumn<Item>[]; unsaid?: () => string | null },
): Promise<Reply> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* lines(): AsyncGenerator<string> {
    yield csvLines([columns.map(([title]) => title)]);
    for (let part = first; !part.done; part = await iterator.next())
      yield csvLines(part.value.map((item) => columns.map(([, valueOf]) => valueOf(item))));
  }
  const warning = unsaid();
  return {
    kind: 'stream',
    headers: {
      ...(warning === null ? {} : { Warning: `299 - "${warning}"` }),
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
    content: () => Readable.from(lines(), { objectMode: false, highWaterMark: 1 }),
  };
}

/** The size of a part that is read after a position. */
export const wholePart = { page: 1, per_page: 200 };

/**
 * The parts of a list that is read by a cursor; `null` begins and ends it. Parts after the first wait for a service
 * that is unavailable.
 */
export async function* partsAfter<Item, Cursor>(
  read: (after: Cursor | null) => Promise<{ items: readonly Item[]; next?: Cursor | null }>,
): AsyncGenerator<readonly Item[]> {
  let after: Cursor | null = null;
  do {
    const position = after;
    const part: { items: readonly Item[]; next?: Cursor | null } =
      position === null ? await read(null) : await patiently(() => read(position));
    if (part.items.length > 0) yield part.items;
    after = part.next ?? null;
  } while (after !== null);
}
