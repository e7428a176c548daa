import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/** Extracts one file of a zip archive to `target`, executable. @throws Error if the archive has no such file */
export async function unzipMember(options: {
  archive: string;
  member: string;
  target: string;
}): Promise<void> {
  const zip = await openPromise(options.archive, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== options.member) continue;
      const content = await zip.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(options.target, { mode: 0o755 }));
      return;
    }
  } finally {
    zip.close();
  }
  throw new Error(`${options.archive} has no file ${options.member}`);
}
