import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@bomtrail/embedded';
import { createProgramGroup, responseError } from '../tools/program-group';

/** A registry of images and charts on this machine. */
export interface LocalRegistry {
  /** `127.0.0.1:12345` */
  readonly host: string;
  stop(): Promise<void>;
}

const readyMs = 30_000;

/**
 * Starts the reference registry on the loopback interface.
 *
 * @param program `registry` of the CNCF project Distribution
 * @param folder for its data and log
 * @throws Error if it does not answer in time
 */
export async function startRegistry(program: string, folder: string): Promise<LocalRegistry> {
  const host = `127.0.0.1:${await freePort()}`;
  const config = path.join(folder, 'registry.json');
  const settings = {
    version: '0.1',
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: path.join(folder, 'registry') } },
    http: { addr: host },
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const group = createProgramGroup(folder);
  group.start('registry', program, { args: ['serve', config] });
  await group.untilReady(() => responseError(`http://${host}/v2/`), {
    what: 'The local registry did not start',
    withinMs: readyMs,
  });
  return { host, stop: group.stop };
}

interface Manifest {
  config: { digest: string };
  layers: { digest: string }[];
}

const manifestTypes = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
].join(', ');

/**
 * Reads an image or chart as a kubelet or helm does: its manifest, and all that the manifest names. Gives the digest of
 * the manifest.
 *
 * @param reference `host/path:tag`
 * @throws Error that names what is missing
 */
export async function pulledDigest(reference: string): Promise<string> {
  const [, host = '', name = '', tag = ''] = /^([^/]+)\/(.+):([^:@]+)$/.exec(reference) ?? [];
  const base = `http://${host}/v2/${name}`;
  const answer = await fetch(`${base}/manifests/${tag}`, { headers: { accept: manifestTypes } });
  if (!answer.ok) throw new Error(`${reference} is not in the registry (${answer.status})`);
  const body = Buffer.from(await answer.arrayBuffer());
  const { config, layers } = JSON.parse(body.toString()) as Manifest;
  for (const { digest } of [config, ...layers]) {
    const blob = await fetch(`${base}/blobs/${digest}`);
    const found = digestOf(Buffer.from(await blob.arrayBuffer()));
    if (found !== digest) throw new Error(`${reference}: ${digest} is missing or damaged`);
  }
  return digestOf(body);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
