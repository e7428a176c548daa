/** One line of the list of modified records. */
export interface ListedRecord {
  id: string;
  /** Milliseconds since 1970. */
  modified: number;
}

/** The lines since a given time. */
export interface ModifiedRecords {
  records: ListedRecord[];
  /** Latest time of the list; null when it is empty. */
  newest: number | null;
  /** False when there are too many lines or the list is not sorted. */
  isComplete: boolean;
}

/** Above this number the whole zip is loaded. */
const maxListed = 200_000;
/** Characters. */
const maxLineLength = 1_000;
/** `<ISO 8601 time>,<id>`; in the list of all ecosystems the id is preceded by its folder. */
const lineShape = /^([^,]{10,40}),(?:[^/,]{1,60}\/)?([^/,\s]{1,200})$/;

/**
 * Reads a `modified_id.csv` (newest line first) down to the first line before `since`. Source:
 * https://google.github.io/osv.dev/data/ "Data dumps".
 *
 * @param since milliseconds since 1970
 * @throws Error for an invalid line
 */
export async function readModifiedList(
  body: AsyncIterable<Uint8Array>,
  since: number,
): Promise<ModifiedRecords> {
  const found: ModifiedRecords = { records: [], newest: null, isComplete: true };
  let before = Number.POSITIVE_INFINITY;
  for await (const line of linesOf(body)) {
    const listed = readLine(line);
    found.newest ??= listed.modified;
    if (listed.modified > before || found.records.length >= maxListed) {
      found.isComplete = false;
      break;
    }
    if (listed.modified < since) break;
    before = listed.modified;
    found.records.push(listed);
  }
  return found;
}

/** Yields the non-empty lines; throws when a line is too long. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line.trim();
    if (rest.length > maxLineLength)
      throw new Error('the list of modified records has a line that is too long');
  }
  if (rest.trim() !== '') yield rest.trim();
}

function readLine(line: string): ListedRecord {
  const [, time = '', id = ''] = lineShape.exec(line) ?? [];
  const modified = Date.parse(time);
  if (id === '' || Number.isNaN(modified))
    throw new Error(`the list of modified records has an invalid line: "${line.slice(0, 60)}"`);
  return { id, modified };
}
