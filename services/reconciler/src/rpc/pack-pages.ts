import { packTexts } from '@bomtrail/messaging';

/** Records serialised together; each may name very many versions. */
const recordsAtOnce = 100;

/** Packs pages into one gzip'd JSON array. Only the packed bytes are kept in memory. */
export async function packPages(
  pages: AsyncIterable<readonly unknown[]>,
): Promise<{ count: number; attachment: Buffer }> {
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    yield '[';
    for await (const page of pages) {
      for (let at = 0; at < page.length; at += recordsAtOnce) {
        const some = page.slice(at, at + recordsAtOnce);
        yield (count > 0 ? ',' : '') + JSON.stringify(some).slice(1, -1);
        count += some.length;
      }
    }
    yield ']';
  }
  const attachment = await packTexts(texts());
  return { count, attachment };
}
