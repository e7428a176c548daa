/**
 * Makes the lines of a CSV file safe for a terminal and the log of a CI runner, as `cleanText` does: commands of
 * runners are broken by a space, and control characters that break no line become spaces.
 *
 * @param pieces of the file, cut anywhere
 */
export async function* safeCsv(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield safeLines(text.slice(0, end));
  }
  yield safeLines(rest);
}

function safeLines(text: string): string {
  const plain = text.replace(/[^\P{Cc}\t\r\n]/gu, ' ');
  return plain.replace(/#(?=#\w*\[)/g, '# ').replace(/^(["'\s]*:)(?=:)/gm, '$1 ');
}
