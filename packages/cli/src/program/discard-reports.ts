import path from 'node:path';
import type { Command } from 'commander';
import { findDocuments } from '../gate/find-documents';
import { prepareFiles, readTargets } from '../output/reports/targets';

/**
 * Removes the reports of an earlier run after an error that came before a command did so, such as an unknown flag or a
 * missing key: a CI system would publish them as the result of this run. A document is never removed.
 *
 * @param program after parsing
 * @param folder base folder of patterns
 */
export async function discardReports(program: Command, folder: string): Promise<void> {
  for (const command of program.commands) {
    const { output } = command.opts<{ output?: unknown }>();
    // Of other commands it is a format, and for standard output.
    if (!Array.isArray(output)) continue;
    const found = command.args.map((name) => findDocuments([name], folder).catch(() => []));
    const documents = (await Promise.all(found)).flat().map((name) => path.resolve(folder, name));
    for (const text of output as string[]) {
      try {
        prepareFiles(readTargets([text]), documents);
      } catch {
        // What is wrong with one keeps no other.
      }
    }
  }
}
