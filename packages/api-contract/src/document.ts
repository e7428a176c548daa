import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the contract, `generated/openapi.json` in the package's folder (one level above both `src/`
 * and `dist/`; a bundle needs a copy one level above itself). It is `openapi.yaml` as JSON, because
 * parsing YAML took most of a gateway's start. Each call reads it again.
 */
export function openapiDocument(): object {
  const file = join(__dirname, '..', 'generated', 'openapi.json');
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}
