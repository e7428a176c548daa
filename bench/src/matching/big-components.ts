import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSbom, type Dependency } from '@bomtrail/sbom-formats';

const maxComponents = 1_000_000;

/**
 * As many distinct packages as asked for: those of all documents of a folder, then the same packages in
 * versions of which the last number is one higher, until there are enough.
 */
export function bigComponents(folder: string, count: number): Dependency[] {
  const found = new Map<string, Dependency>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json')) continue;
    const read = readSbom(readFileSync(join(folder, name)), { maxComponents });
    if (!read.ok) continue;
    for (const one of read.sbom.dependencies) found.set(`${one.purl}\n${one.version}`, one);
  }
  const real = [...found.values()];
  for (let round = 1; found.size < count; round += 1) {
    for (const one of real) {
      const next = laterVersion(one, round);
      if (next && found.size < count) found.set(`${next.purl}\n${next.version}`, next);
    }
  }
  return [...found.values()].slice(0, count);
}

function laterVersion(one: Dependency, by: number): Dependency | null {
  const version = one.version.replace(/\d+(?=\D*$)/, (last) => String(Number(last) + by));
  if (one.purl === null || version === one.version || !one.purl.includes(`@${one.version}`))
    return null;
  return { ...one, version, purl: one.purl.replace(`@${one.version}`, `@${version}`) };
}
