import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deployedFiles } from './deployed-files';

/** Writes the generated deployment files. */
for (const [file, text] of Object.entries(deployedFiles())) {
  const path = join(__dirname, '..', '..', '..', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
