import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { JsonObject } from './json';
import { CYCLONEDX_VERSIONS, type CycloneDxVersion } from './recognise-format';
import { forgivingSchema } from './schema/forgiving-schema';

/**
 * Beside the compiled code, and beside a bundle that contains it. This file stands at the top of
 * the source folder so that both are the same place.
 */
const BUILT_FOLDER = join(__dirname, 'sbom-schemas');

/** Schemas that the ones of CycloneDX refer to. */
const REFERENCED = ['jsf-0.82.SNAPSHOT.schema.json', 'cryptography-defs.SNAPSHOT.schema.json'];

/** A schema and the ones it refers to, each under the name by which it is referred to. */
export interface CycloneDxSchemas {
  main: JsonObject;
  referenced: { fileName: string; schema: JsonObject }[];
}

/**
 * The forgiving schemas of one CycloneDX version: from the built folder, or when running from
 * source from the installed `@cyclonedx/cyclonedx-library`. Throws when neither is there, which is
 * a broken installation and no document's fault.
 */
export function readCycloneDxSchemas(version: CycloneDxVersion): CycloneDxSchemas {
  return {
    main: readSchema(fileNameOf(version)),
    referenced: REFERENCED.map((fileName) => ({ fileName, schema: readSchema(fileName) })),
  };
}

/** The build step: writes every schema that is needed at run time into the built folder. */
export function writeCycloneDxSchemas(): void {
  mkdirSync(BUILT_FOLDER, { recursive: true });
  for (const fileName of [...CYCLONEDX_VERSIONS.map(fileNameOf), ...REFERENCED])
    writeFileSync(join(BUILT_FOLDER, fileName), JSON.stringify(readOfficialSchema(fileName)));
}

function fileNameOf(version: CycloneDxVersion): string {
  return `bom-${version}.SNAPSHOT.schema.json`;
}

function readSchema(fileName: string): JsonObject {
  const built = join(BUILT_FOLDER, fileName);
  return existsSync(built) ? parseFile(built) : readOfficialSchema(fileName);
}

function readOfficialSchema(fileName: string): JsonObject {
  const library = createRequire(__filename).resolve('@cyclonedx/cyclonedx-library/package.json');
  return forgivingSchema(parseFile(join(dirname(library), 'res', 'schema', fileName)));
}

function parseFile(path: string): JsonObject {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}
