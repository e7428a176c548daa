import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Reads and parses the contract, `openapi.yaml` in the package's folder (one level above both
 * `src/` and `dist/`; a bundle needs a copy one level above itself). Each call reads it again.
 */
export function openapiDocument(): object {
  return parse(readFileSync(join(__dirname, '..', 'openapi.yaml'), 'utf8')) as object;
}
