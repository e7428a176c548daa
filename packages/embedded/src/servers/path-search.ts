import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** First executable file of that name in the folders of `searchPath` (the form of `PATH`). */
export async function findOnPath(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, name);
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      continue;
    }
  }
  return undefined;
}
