import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is no message for a person; the rest of it is dropped here (not from the log). */
const LONGEST_LINE = 64 * 1024;

/** Hands on whole lines of a stream that comes in pieces. */
export function splitLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const pieces = (rest + decoder.write(chunk)).split('\n');
    rest = (pieces.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of pieces) onLine(line);
  };
}
