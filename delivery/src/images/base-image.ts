import { readFileSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { mustRun, repositoryRoot, serverCacheDir } from '@bomtrail/embedded';
import { npmPackages, type Say } from '../tools/fetch';
import { buildah } from './buildah';

/** Debian's release in the official image that the Dockerfile names. */
const debian = 'bookworm';
const caBundle = '/etc/ssl/certs/ca-certificates.crt';

/** The version of Node.js in the images: that of `NODE_IMAGE` in the Dockerfile. */
export function nodeOfImages(): string {
  const file = path.join(repositoryRoot(), 'deploy', 'docker', 'Dockerfile');
  const version = /^ARG NODE_IMAGE=node:(\d+\.\d+\.\d+)-/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error('The Dockerfile names no version of Node.js.');
  return version;
}

/**
 * Makes a stand-in for the official Node.js image where no registry of images can be reached: the same Debian from its
 * packages, and the same Node.js and npm from npm. Made once for each version; gives its name.
 *
 * @throws Error with the reason of the tool that failed
 */
export async function baseImage(say: Say): Promise<string> {
  const version = nodeOfImages();
  const name = `localhost/node:${version}-${debian}`;
  if ((await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).split('\n').includes(name))
    return name;
  say(`Making ${name} of packages of Debian and npm …`);
  const root = await debianRoot();
  const { packageManager } = readPackage(path.join(repositoryRoot(), 'package.json'));
  const packages = [`node-linux-${process.arch}@${version}`, packageManager];
  const modules = path.join(await npmPackages(packages, say), 'node_modules');
  const container = await buildah('from', 'scratch');
  try {
    await buildah('add', container, root, '/');
    const node = path.join(modules, `node-linux-${process.arch}`, 'bin', 'node');
    await buildah('copy', container, node, '/usr/local/bin/node');
    await buildah('copy', container, path.join(modules, 'npm'), '/usr/local/lib/node_modules/npm');
    const link = (program: string): string =>
      `ln -s ../lib/node_modules/npm/bin/${program}-cli.js /usr/local/bin/${program}`;
    const links = ['npm', 'npx'].map(link).join(' && ');
    await buildah('run', container, '--', 'sh', '-c', links);
    await trustWhatIsTrustedHere(container);
    await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
    await buildah('commit', '--quiet', container, name);
  } finally {
    await buildah('rm', container);
  }
  return name;
}

/** The root of a minimal Debian as an archive. */
async function debianRoot(): Promise<string> {
  const archive = path.join(serverCacheDir(), `${debian}.tar`);
  const begun = `${archive}.part.tar`;
  await mkdir(serverCacheDir(), { recursive: true });
  await rm(begun, { force: true });
  const args = ['--quiet', '--variant=minbase', '--include=ca-certificates', debian, begun];
  await mustRun('mmdebstrap', args);
  await copyFile(begun, archive);
  await rm(begun);
  return archive;
}

/** A company's own certificates, which npm needs behind its proxy; the images are made from nothing and inherit none. */
async function trustWhatIsTrustedHere(container: string): Promise<void> {
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  if (!extra) return;
  await buildah('copy', container, extra, caBundle);
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${caBundle}`, container);
}

function readPackage(file: string): { packageManager: string } {
  return JSON.parse(readFileSync(file, 'utf8')) as { packageManager: string };
}
