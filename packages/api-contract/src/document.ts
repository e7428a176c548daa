import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the contract on each call: `generated/openapi.json` in the package folder (one level above
 * `src/` and `dist/`; a bundle needs a copy one level above itself). It is `openapi.yaml` as JSON,
 * because parsing YAML slowed down the start.
 */
export function openapiDocument(): object {
  const file = join(__dirname, '..', 'generated', 'openapi.json');
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}
