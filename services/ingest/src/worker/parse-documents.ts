import parseDocument, { type ParseOutcome, type ParseTask } from './parse-document';

/** Worker thread: parses several documents. `error`: what `parseDocument` throws. */
export default function parseDocuments(
  tasks: readonly ParseTask[],
): (ParseOutcome | { error: string })[] {
  return tasks.map((task) => {
    try {
      return parseDocument(task);
    } catch (error) {
      return { error: String(error) };
    }
  });
}
