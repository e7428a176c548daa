import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const shared = path.join(__dirname, '../../../../../shared/data');

/** Whether the documents beside the checkout are there; they are not part of the repository. */
export const hasSharedData = existsSync(path.join(shared, 'vex'));

export interface SharedFile {
  name: string;
  bytes: Buffer;
}

/** The JSON documents of a folder, unpacked. Missing folder: none. */
export function sharedFiles(folder: string): SharedFile[] {
  const from = path.join(shared, folder);
  if (!existsSync(from)) return [];
  return readdirSync(from)
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .map((name) => ({ name: name.replace(/\.gz$/, ''), bytes: readShared(`${folder}/${name}`) }));
}

export function readShared(file: string): Buffer {
  const bytes = readFileSync(path.join(shared, file));
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
