import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import type { BuiltImage } from '../images/build-images';
import { buildah } from '../images/buildah';
import { linesOf, run } from '../tools/run';
import { imageName, type Origin } from './origin';
import type { Making } from './release-files';

/** What stands in the registry. */
export interface Published {
  /** Without tag. */
  readonly name: string;
  readonly tag: string;
  /** `sha256:…` */
  readonly digest: string;
}

/** Pushes an image to a registry without TLS. @throws Error with buildah's reason */
export async function pushImage(
  { name, target }: BuiltImage,
  origin: Origin,
  version: string,
): Promise<Published> {
  const to = imageName(origin, target);
  return withTemporaryFolder('push', async (folder) => {
    const file = path.join(folder, 'digest');
    const how = ['--quiet', '--tls-verify=false', '--digestfile', file];
    await buildah('push', ...how, name, `docker://${to}:${version}`);
    return { name: to, tag: version, digest: readFileSync(file, 'utf8').trim() };
  });
}

/** Pushes the packed chart to a registry without TLS. @throws Error with helm's reason */
export async function pushChart(
  { folder, version, origin }: Making,
  helm: string,
): Promise<Published> {
  const packed = path.join(folder, `bomtrail-${version}.tgz`);
  const to = `${origin.registry}/charts`;
  const ended = await run(helm, ['push', packed, `oci://${to}`, '--plain-http']);
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(ended.stdout + ended.stderr)?.[1];
  if (ended.code !== 0 || digest === undefined)
    throw new Error(linesOf(ended.stderr, 1)[0] ?? 'helm gave no digest');
  return { name: `${to}/bomtrail`, tag: version, digest };
}
