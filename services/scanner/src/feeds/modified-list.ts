/** A line of a list of modified records. */
export interface ListedRecord {
  id: string;
  /** Milliseconds since 1970. */
  modified: number;
}

/** The lines of a list that are of interest. */
export interface ModifiedRecords {
  records: ListedRecord[];
  /** The latest time of all; null for an empty list. */
  newest: number | null;
  /** Whether these are all that are asked for; false when there are too many, or the list is not in order. */
  isComplete: boolean;
}

/** More are not worth remembering: then the whole zip is taken. */
const maxListed = 200_000;
/** Characters. */
const maxLineLength = 1_000;
/** `<ISO 8601 time>,<id>`; in the list over all ecosystems the id has its folder before it. */
const lineShape = /^([^,]{10,40}),(?:[^/,]{1,60}\/)?([^/,\s]{1,200})$/;

/**
 * Reads a `modified_id.csv`, newest line first, down to the first line before `since`. A list that
 * is not in this order cannot be trusted to have named everything by then. Source:
 * https://google.github.io/osv.dev/data/ "Data dumps".
 *
 * @param since milliseconds since 1970
 * @throws Error when a line is none of such a list
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

/** The lines that are not empty; one without an end is none of a list, and is not waited for. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line.trim();
    if (rest.length > maxLineLength) throw new Error('the list of modified records has no lines');
  }
  if (rest.trim() !== '') yield rest.trim();
}

function readLine(line: string): ListedRecord {
  const [, time = '', id = ''] = lineShape.exec(line) ?? [];
  const modified = Date.parse(time);
  if (id === '' || Number.isNaN(modified))
    throw new Error(`the list of modified records has a line that is none: "${line.slice(0, 60)}"`);
  return { id, modified };
}
