import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Installed } from './install-schemathesis';
import { pythonEnvironment } from './python-environment';

/**
 * Holds the served contract to OpenAPI 3.1 with the reference validator, openapi-spec-validator, and shows what it says.
 *
 * @param baseUrl of the installation that serves it
 * @returns whether the document is valid
 */
export async function isValidDocument(installed: Installed, baseUrl: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-openapi-'));
  try {
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${baseUrl}/api/openapi.json`)).text());
    const args = ['-m', 'openapi_spec_validator', '--schema', '3.1', '--validation-errors', 'all'];
    const child = spawn(installed.python, [...args, file], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: pythonEnvironment(installed),
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
