import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonEnvironment, withTemporaryFolder } from '@bomtrail/embedded';
import type { Installed } from './install-schemathesis';

/**
 * Holds the served contract to OpenAPI 3.1 with the reference validator, openapi-spec-validator, and shows what it says.
 *
 * @param baseUrl of the installation that serves it
 * @returns whether the document is valid
 */
export function isValidDocument(installed: Installed, baseUrl: string): Promise<boolean> {
  return withTemporaryFolder('openapi', async (folder) => {
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${baseUrl}/api/openapi.json`)).text());
    const args = ['-m', 'openapi_spec_validator', '--schema', '3.1', '--validation-errors', 'all'];
    const child = spawn(installed.python, [...args, file], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: pythonEnvironment(installed.packages),
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  });
}
