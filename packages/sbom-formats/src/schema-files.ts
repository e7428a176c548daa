import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { JsonObject } from './json';
import { CYCLONEDX_VERSIONS, type CycloneDxVersion } from './recognise-format';
import { relaxedSchema } from './schema/relaxed-schema';

/**
 * Beside the compiled code or a bundle of it. This file is at the top of the source folder so that
 * both are the same path.
 */
const BUILT_FOLDER = join(__dirname, 'sbom-schemas');

/** Schemas referenced by those of CycloneDX. */
const REFERENCED = ['jsf-0.82.SNAPSHOT.schema.json', 'cryptography-defs.SNAPSHOT.schema.json'];

/** A schema and the schemas it references, by name. */
export interface CycloneDxSchemas {
  main: JsonObject;
  referenced: { fileName: string; schema: JsonObject }[];
}

/**
 * Reads the relaxed schemas of a CycloneDX version: from the built folder, or from the installed
 * `@cyclonedx/cyclonedx-library` when running from source. Throws when neither exists.
 */
export function readCycloneDxSchemas(version: CycloneDxVersion): CycloneDxSchemas {
  return {
    main: readSchema(fileNameOf(version)),
    referenced: REFERENCED.map((fileName) => ({ fileName, schema: readSchema(fileName) })),
  };
}

/** Build step: writes every schema needed at run time into the built folder. */
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
  return relaxedSchema(parseFile(join(dirname(library), 'res', 'schema', fileName)));
}

function parseFile(path: string): JsonObject {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}
