import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { documentOf } from '@bomtrail/reference-model';
import type { Draw } from '@bomtrail/testkit';

/** Small real CycloneDX documents without a component that the feed knows. */
const realNames = ['027-google-testdata-sbom', '025-google-testdata-sbom-with-locations'];
/** One document of so many is so long that it does not fit into a message. */
const oneLongOf = 25;
const longBytes = 1_200_000;

/** Makes documents out of real ones, where they are there, each with the given packages besides. */
export function createDocuments(): (
  components: readonly string[],
  draw: Draw,
  isLong?: boolean,
) => Buffer {
  const real = realNames.flatMap(readReal);
  return (components, draw, isLong = draw(oneLongOf) === 0) => {
    const own = JSON.parse(documentOf(components).toString()) as { components: object[] };
    // Without a name of its own, or its uploads without a service would go to a service of that name.
    const base = draw(2) === 0 ? undefined : real[draw(real.length)];
    const serialNumber = `urn:uuid:${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-8${hex(draw, 3)}-${hex(draw, 12)}`;
    const document = {
      ...own,
      serialNumber,
      components: [...own.components, ...(base?.components ?? [])],
      ...(isLong ? { properties: [long(draw)] } : {}),
    };
    return Buffer.from(JSON.stringify(document));
  };
}

function readReal(name: string): { components: object[] }[] {
  const file = path.join(repositoryRoot(), '..', 'shared', 'data', 'sboms', `${name}.cdx.json`);
  try {
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components?: object[] };
    return components ? [{ components }] : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function hex(draw: Draw, digits: number): string {
  return Array.from({ length: digits }, () => draw(16).toString(16)).join('');
}

/** Text that does not become shorter by compression. */
function long(draw: Draw): { name: string; value: string } {
  const words = new Uint32Array(longBytes / 4).map(() => draw(2 ** 32));
  return { name: 'long', value: Buffer.from(words.buffer).toString('base64') };
}
