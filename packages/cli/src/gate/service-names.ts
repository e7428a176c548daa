import path from 'node:path';
import { usageError } from '../exit-codes';
import { counted } from '../output/clean-text';

const placeholder = /\{(file|folder)\}/g;
/** Also what is probably a misspelt placeholder: as a name it would become a service. */
const inBraces = /\{[^{}]*\}/g;

/**
 * The service of each document. With several documents the name is a pattern, as two documents in one service would
 * replace each other: `{file}` is the file's name up to its first point, `{folder}` the name of its folder.
 *
 * @param folder base folder of relative files
 * @throws CliError (usage) if a pattern is missing or has an unknown placeholder, or two documents get one service
 */
export function serviceNames(
  pattern: string | undefined,
  files: readonly string[],
  folder: string,
): Map<string, string> {
  if (!pattern)
    throw usageError(
      'No service given. Set --service, BOMTRAIL_SERVICE or `service:` in .bomtrail.yaml.',
    );
  const [unknown] = pattern.replace(placeholder, '').match(inBraces) ?? [];
  if (unknown !== undefined)
    throw usageError(`service: "${unknown}" is no placeholder; there are {file} and {folder}.`);
  const isPattern = new RegExp(placeholder.source).test(pattern);
  if (files.length > 1 && !isPattern)
    throw usageError(
      `${counted(files.length, 'document')} cannot all be the service "${pattern}". Name them by a pattern, e.g. --service '{file}' or --service '{folder}'.`,
    );
  const names = new Map(files.map((file) => [file, nameOf(pattern, file, folder)]));
  const users = new Map<string, string>();
  for (const [file, name] of names) {
    const other = users.get(name);
    if (other !== undefined)
      throw usageError(
        `${other} and ${file} would both be the service "${name}". Give another pattern as --service, e.g. '{folder}-{file}'.`,
      );
    users.set(name, file);
  }
  return names;
}

function nameOf(pattern: string, file: string, folder: string): string {
  const full = path.resolve(folder, file);
  const name = file === '-' ? 'standard-input' : (path.basename(full).split('.', 1)[0] ?? '');
  const values = { file: name || path.basename(full), folder: path.basename(path.dirname(full)) };
  return pattern.replace(placeholder, (_, word: keyof typeof values) => values[word]);
}
