import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The ecosystems of a folder in OSV's bulk layout. */
export function ecosystemsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .sort();
}

/** The records of one `all.zip`, one after the other. */
export async function* recordsIn(file: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue;
      yield {
        name: entry.fileName,
        bytes: await buffer(await zip.openReadStreamPromise(entry)),
      };
    }
  } finally {
    zip.close();
  }
}
