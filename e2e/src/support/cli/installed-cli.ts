import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { repositoryRoot } from '../real-data';

/** How a command ended; `out` is standard output, `stderr` standard error. */
export interface CliEnd {
  code: number | null;
  out: string;
  stderr: string;
}

/** The last line that a command said, beside its output. */
export function lastLine({ stderr }: CliEnd): string {
  return stderr.trim().split('\n').at(-1) ?? '';
}

export interface CliRun {
  /** Sends a signal to the command. */
  signal: (name: NodeJS.Signals) => void;
  /** Resolves once standard error holds this text. @throws Error where the command ends before */
  says: (text: string) => Promise<void>;
  end: Promise<CliEnd>;
}

export interface InstalledCli {
  /** An archive like those of a release, with the program for this machine's Node.js in place of an executable. */
  archive: string;
  /** SHA-256 of the archive. */
  archiveHash: string;
  run: (
    args: readonly string[],
    options?: {
      env?: Record<string, string>;
      input?: string;
      /** An open file in place of the pipe that `out` is read from. */
      stdout?: number;
      /** An open file in place of the pipe that `stderr` is read from. */
      stderr?: number;
    },
  ) => CliRun;
}

/**
 * Packs the command line and installs the tarball in an empty folder, without a network: it has all it
 * needs. Its commands then run in a folder of their own.
 *
 * @param env what every command has beside PATH and HOME
 */
export function installCli(folder: string, env: Record<string, string>): InstalledCli {
  const npm = (args: string[], cwd: string): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [home, work] = [path.join(folder, 'installed'), path.join(folder, 'work')];
  for (const made of [home, work]) mkdirSync(made, { recursive: true });
  const source = path.join(repositoryRoot, 'packages', 'cli');
  const packed = npm(['pack', '--silent', '--pack-destination', folder], source).trim();
  const tarball = path.join(folder, packed);
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], home);
  const program = path.join(home, 'node_modules', '.bin', 'bomtrail');
  const executable = path.join(folder, 'bomtrail');
  copyFileSync(
    path.join(home, 'node_modules', '@bomtrail', 'cli', 'dist', 'bomtrail.js'),
    executable,
  );
  const archive = path.join(folder, 'bomtrail.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', folder, 'bomtrail']);
  const archiveHash = createHash('sha256').update(readFileSync(archive)).digest('hex');
  return {
    archive,
    archiveHash,
    run(args, options = {}) {
      const { PATH = '', HOME = folder } = process.env;
      const child = spawn(program, args, {
        cwd: work,
        env: { PATH, HOME, ...env, ...options.env },
        stdio: ['pipe', options.stdout ?? 'pipe', options.stderr ?? 'pipe'],
      }) as ChildProcess & { stdin: Writable };
      const [out, stderr]: [Buffer[], Buffer[]] = [[], []];
      child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
      child.stdin.on('error', () => {});
      child.stdin.end(options.input ?? '');
      const end = once(child, 'close').then(([code]) => ({
        code: code as number | null,
        out: Buffer.concat(out).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }));
      return {
        signal: (name) => child.kill(name),
        end,
        says: async (text) => {
          const ended = end.then(({ stderr: all }) => {
            throw new Error(`It ended without "${text}": ${all}`);
          });
          const heard = new Promise<void>((resolve) => {
            const check = (): void => {
              if (Buffer.concat(stderr).toString().includes(text)) resolve();
            };
            child.stderr?.on('data', check);
            check();
          });
          ended.catch(() => {});
          await Promise.race([heard, ended]);
        },
      };
    },
  };
}
