import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mustRun, repositoryRoot } from '@bomtrail/embedded';
import { releaseVersion } from '../release/versions';
import { startReport, type Report } from '../report';
import type { Say } from '../tools/fetch';
import { run } from '../tools/run';
import { baseImage, nodeOfImages } from './base-image';
import { buildImages, type BuiltImage } from './build-images';
import { buildah } from './buildah';
import { imageSbom } from './image-sbom';

/** Where the roots of the images are laid out, a folder for each, with the SBOM of each beside it. */
const rootsFolder = path.join('.cache', 'images', 'roots');

/**
 * Builds all images with buildah, for this machine's architecture, and lays out their roots. Gives the exit code; the
 * last line is `N passed, N failed`.
 *
 * @param isTwice builds them again, from nothing, which must give the same digests
 */
export async function images({ isTwice }: { isTwice: boolean }, say: Say): Promise<number> {
  const report = startReport(say);
  const built = await makeImages({ isTwice, report }, say);
  say(`The root and the SBOM of each image are in ${rootsFolder}. To run and to scan them:`);
  say(`  npm run test:bundles -- --roots ${rootsFolder}`);
  say(`  npm run audit-self ${sboms(built)}`);
  for (const line of report.closingLines()) say(line);
  return report.failed ? 1 : 0;
}

/** Builds and checks all images, and lays out their roots and SBOMs. @throws Error with the reason of the tool that failed */
export async function makeImages(
  { isTwice, report }: { isTwice: boolean; report: Report },
  say: Say,
): Promise<BuiltImage[]> {
  const what = {
    version: releaseVersion(),
    nodeImage: await baseImage(say),
    ...(await lastCommit()),
  };
  const built = await buildImages({ ...what, cacheKey: '' }, say);
  if (isTwice)
    compareBuilds(report, built, await buildImages({ ...what, cacheKey: randomUUID() }, say));
  for (const image of built)
    report.check(`${image.name}: its configuration`, await errorsOf(image));
  for (const [image, bytes] of await layOutRoots(built))
    say(`${image.name} ${image.digest} ${(bytes / 1e6).toFixed(1)} MB`);
  return built;
}

/** The commit, and its time in seconds since 1970. */
export async function lastCommit(): Promise<{ commit: string; time: number }> {
  const { stdout } = await run('git', ['log', '-1', '--format=%H %ct'], { cwd: repositoryRoot() });
  const [commit = '', time = '0'] = stdout.trim().split(' ');
  return { commit, time: Number(time) };
}

function compareBuilds(
  report: Report,
  first: readonly BuiltImage[],
  second: readonly BuiltImage[],
): void {
  for (const { name, digest } of first) {
    const again = second.find((one) => one.name === name)?.digest ?? 'nothing';
    const errors = again === digest ? [] : [`the second build made ${again}`];
    report.check(`${name}: built twice, equal to the byte`, errors);
  }
}

/** What an operator relies on: no root user, a health check where something serves. */
async function errorsOf({ name, target }: BuiltImage): Promise<string[]> {
  const inspected = await buildah('inspect', '--type', 'image', name);
  const { Docker: docker } = JSON.parse(inspected) as {
    Docker: { config: { User?: string; Healthcheck?: { Test?: string[] } } };
  };
  const { User: user, Healthcheck: health } = docker.config;
  const serves = target !== 'tools' && target !== 'cli';
  const isChecked = health?.Test !== undefined && health.Test[0] !== 'NONE';
  return [
    ...(user === '1000:1000' ? [] : [`it runs as ${user ?? 'root'}`]),
    ...(isChecked === serves ? [] : [`it has ${isChecked ? 'a' : 'no'} health check`]),
  ];
}

/** Gives each image with the bytes of its files. */
async function layOutRoots(built: readonly BuiltImage[]): Promise<[BuiltImage, number][]> {
  const folder = path.join(repositoryRoot(), rootsFolder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const sizes: [BuiltImage, number][] = [];
  for (const image of built) {
    const { name, target } = image;
    const container = await buildah('from', name);
    try {
      const root = await buildah('mount', container);
      const copy = path.join(folder, target);
      await mustRun('cp', ['-a', root, copy]);
      const { stdout } = await run('du', ['--summarize', '--bytes', copy]);
      sizes.push([image, Number.parseInt(stdout, 10)]);
      const sbom = imageSbom(copy, nodeOfImages());
      await writeFile(`${copy}.cdx.json`, `${JSON.stringify(sbom)}\n`);
    } finally {
      await buildah('rm', container);
    }
  }
  return sizes;
}

function sboms(built: readonly BuiltImage[]): string {
  return ['--', ...built.map(({ target }) => `--sbom ${rootsFolder}/${target}.cdx.json`)].join(' ');
}
