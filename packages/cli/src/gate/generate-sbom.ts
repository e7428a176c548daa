import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { undecidedError, usageError } from '../exit-codes';
import { cleanText, shortened } from '../output/clean-text';

const limitMs = 15 * 60_000;
const keptOutput = 64 * 1024;

interface Generator {
  name: string;
  args: (folder: string, file: string) => string[];
}

/** In order of preference. */
const generators: readonly Generator[] = [
  {
    name: 'syft',
    args: (folder, file) => [
      'scan',
      `dir:${folder}`,
      '--quiet',
      '--output',
      `cyclonedx-json=${file}`,
    ],
  },
  {
    name: 'cdxgen',
    args: (folder, file) => ['--spec-version', '1.6', '--output', file, folder],
  },
];

/** A document in a folder of its own. */
export interface Generated {
  file: string;
  discard: () => void;
}

export interface GenerateOptions {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  /** Time limit of the generator. */
  withinMs?: number;
}

/**
 * Creates an SBOM of a folder with syft or cdxgen, whichever is found on the PATH first.
 *
 * @throws CliError (usage) if the folder or both programs are missing; (undecided) if the program fails or is too slow
 */
export async function generateSbom(folder: string, options: GenerateOptions): Promise<Generated> {
  const { env, say, withinMs = limitMs } = options;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--from: ${folder} is not a folder.`);
  const found = generators
    .map((generator) => ({ ...generator, program: onPath(generator.name, env['PATH'] ?? '') }))
    .find(({ program }) => program !== null);
  if (!found?.program)
    throw usageError(
      '--from needs syft or cdxgen, and neither is on the PATH. Get syft from https://github.com/anchore/syft (brew install syft), or cdxgen with npm install -g @cyclonedx/cdxgen.',
    );
  const home = mkdtempSync(path.join(tmpdir(), 'bomtrail-'));
  const discard = (): void => rmSync(home, { recursive: true, force: true });
  const file = path.join(home, 'sbom.cdx.json');
  say(`Creating the SBOM of ${folder} with ${found.program}.`);
  try {
    const args = found.args(path.resolve(folder), file);
    await run(found.program, args, { env, withinMs });
    if (!statSync(file, { throwIfNoEntry: false })?.size)
      throw undecidedError(`${found.name} ended without an SBOM of ${folder}.`);
    return { file, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** The first executable file of this name on the PATH. Scripts of Windows (`.cmd`) would need a shell. */
function onPath(name: string, searched: string): string | null {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of searched.split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const program = path.join(folder, file);
    try {
      accessSync(program, constants.X_OK);
      if (statSync(program).isFile()) return program;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

function run(
  program: string,
  args: readonly string[],
  { env, withinMs }: { env: GenerateOptions['env']; withinMs: number },
): Promise<void> {
  // The generator gets no key: it runs build tools of the folder.
  const passed = Object.entries(env).filter(([name]) => !/^BOMTRAIL_/i.test(name));
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: Object.fromEntries(passed),
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-keptOutput);
  });
  return new Promise((done, failed) => {
    child.once('error', (error) => failed(undecidedError(`${program}: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return done();
      const why =
        signal === null ? `exit code ${code}` : `${signal} after at most ${withinMs / 1000} s`;
      const last = shortened(cleanText(said.trim().split('\n').at(-1) ?? ''), 500);
      failed(undecidedError(`${program} created no SBOM (${why}). ${last}`));
    });
  });
}
