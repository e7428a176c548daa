import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut here (not in the log). */
const LONGEST_LINE = 64 * 1024;

/** Splits a stream into lines. */
export function splitLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const pieces = (rest + decoder.write(chunk)).split('\n');
    rest = (pieces.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of pieces) onLine(line);
  };
}
