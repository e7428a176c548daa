import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import type { Say } from '../tools/fetch';
import { buildah } from './buildah';

/** Targets of the Dockerfile that are images. */
export const imageTargets = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
  'tools',
  'cli',
] as const;

export interface BuiltImage {
  target: string;
  name: string;
  /** `sha256:…` of the manifest, as a registry would name it. */
  digest: string;
}

export interface BuildOptions {
  version: string;
  nodeImage: string;
  commit: string;
  /** Seconds since 1970: the time of the build in all files and images, so that two builds are equal. */
  time: number;
  /** Changing it invalidates every cached layer after the sources; empty: cached layers are used. */
  cacheKey: string;
}

/** Builds every image of the Dockerfile for this machine's architecture. @throws Error with buildah's reason */
export async function buildImages(options: BuildOptions, say: Say): Promise<BuiltImage[]> {
  const built: BuiltImage[] = [];
  for (const target of imageTargets) {
    say(`Building ${target} …`);
    built.push(await buildImage(target, options));
  }
  return built;
}

async function buildImage(target: string, options: BuildOptions): Promise<BuiltImage> {
  const { version, nodeImage, commit, time, cacheKey } = options;
  const name = `localhost/bomtrail-${target}:${version}`;
  const values = {
    NODE_IMAGE: nodeImage,
    // With `--no-cache` buildah would build everything for each image: it finds no layer of such a build again.
    BUILD_CACHE_KEY: cacheKey,
    BOMTRAIL_VERSION: version,
    BOMTRAIL_COMMIT: commit,
    BOMTRAIL_BUILT_AT: new Date(time * 1000).toISOString(),
  };
  // `docker` is the format of images that has health checks.
  const how = ['--network=host', '--format', 'docker', '--timestamp', String(time), '--layers'];
  const given = Object.entries(values).flatMap(([key, value]) => [`--build-arg=${key}=${value}`]);
  const file = ['--file', path.join('deploy', 'docker', 'Dockerfile'), '--target', target];
  await buildah('build', '--quiet', ...how, ...given, ...file, '--tag', name, '.');
  return { target, name, digest: await digestOf(name) };
}

/** Digest of the manifest that a push of the image makes. */
function digestOf(name: string): Promise<string> {
  return withTemporaryFolder('digest', async (folder) => {
    const file = path.join(folder, 'digest');
    await buildah(
      'push',
      '--quiet',
      '--digestfile',
      file,
      name,
      `dir:${path.join(folder, 'image')}`,
    );
    return readFileSync(file, 'utf8').trim();
  });
}
