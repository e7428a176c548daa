import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { linesOf, run } from '../tools/run';
import type { Published } from './publish';

/**
 * Signs with keys made for one run. A release of the workflow is signed by the workflow's identity instead, without
 * keys, and entered in the public log.
 */
export interface Signing {
  /** Signs an image or a chart. @throws Error with cosign's reason */
  sign(published: Published): Promise<void>;
  /** Signs a file; the signature stands in `<file>.bundle`. @throws Error with cosign's reason */
  signFile(file: string): Promise<void>;
  /** What is wrong with the signature. */
  errorsOf(published: Published): Promise<string[]>;
  fileErrors(file: string): Promise<string[]>;
  /** Those of a signature that is checked with another key: it must have some. */
  errorsByAnotherKey(published: Published): Promise<string[]>;
}

const keys = ['ours', 'another'] as const;
const plainHttp = ['--allow-http-registry', '--allow-insecure-registry'];
const outOfTheLog = ['--tlog-upload=false', '--yes'];

/**
 * Makes two pairs of keys.
 *
 * @param cosign the program
 * @param folder for the keys
 */
export async function startSigning(cosign: string, folder: string): Promise<Signing> {
  const env = { ...process.env, COSIGN_PASSWORD: '', HOME: folder };
  const file = (name: string): string => path.join(folder, name);
  const errors = async (args: readonly string[]): Promise<string[]> => {
    const ended = await run(cosign, args, { env, cwd: folder });
    // Without the internet it warns that it could not fetch what only the public log needs.
    return ended.code === 0 ? [] : linesOf(ended.stderr).slice(-1);
  };
  const must = async (args: readonly string[]): Promise<void> => {
    const [first] = await errors(args);
    if (first !== undefined) throw new Error(first);
  };
  await mkdir(folder, { recursive: true });
  for (const name of keys) await must(['generate-key-pair', '--output-key-prefix', name]);
  const key = ['--key', file('ours.key')];
  const verify = (published: Published, name: (typeof keys)[number]): Promise<string[]> =>
    errors([
      'verify',
      '--key',
      file(`${name}.pub`),
      '--insecure-ignore-tlog',
      ...plainHttp,
      at(published),
    ]);
  return {
    sign: (published) => must(['sign', ...key, ...outOfTheLog, ...plainHttp, at(published)]),
    signFile: (one) =>
      must(['sign-blob', ...key, ...outOfTheLog, '--bundle', `${one}.bundle`, one]),
    errorsOf: (published) => verify(published, 'ours'),
    fileErrors: (one) =>
      errors([
        ...['verify-blob', '--key', file('ours.pub'), '--insecure-ignore-tlog'],
        ...['--bundle', `${one}.bundle`, one],
      ]),
    errorsByAnotherKey: (published) => verify(published, 'another'),
  };
}

/** By digest: a tag may move. */
function at({ name, digest }: Published): string {
  return `${name}@${digest}`;
}
