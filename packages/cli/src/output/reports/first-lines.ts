/** Returns the first line, from 1, of each wanted JSON string literal; reads the document once. */
export function firstLines(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  let line = 1;
  let newline = text.indexOf('\n');
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = closingQuote(text, start);
    if (end < 0) break;
    const written = text.slice(start, end + 1);
    if (wanted.has(written) && !found.has(written)) {
      for (; newline >= 0 && newline < start; newline = text.indexOf('\n', newline + 1)) line += 1;
      found.set(written, line);
    }
    start = text.indexOf('"', end + 1);
  }
  return found;
}

/** Returns the index of the closing quote, after an even number of backslashes; -1 without one. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) break;
  }
  return end;
}
