import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError, withTemporaryFolder } from '@bomtrail/embedded';
import { findPrograms, type Programs } from '../cluster/programs';
import type { BuiltImage } from '../images/build-images';
import { makeImages } from '../images/images';
import { orNotRun, startReport } from '../report';
import { goTool, type Say } from '../tools/fetch';
import { cosign, helm, registry } from '../tools/pins';
import { linesOf, run } from '../tools/run';
import { installRelease } from './install-release';
import { pulledDigest, startRegistry } from './local-registry';
import type { Subject } from './provenance';
import { imageSbomFile, pushChart, pushImage, type Published } from './publish';
import { makeFiles, writeChecksums, writeProvenance, type Making } from './release-files';
import { releaseFolder } from './release';
import { serveFolder } from './serve-folder';
import { startSigning, type Signing } from './signing';
import { releaseVersion } from './versions';

/**
 * Makes a whole release against a registry and a file server of this machine, then uses it as an operator does: fetches
 * the command line with the installer, verifies the signatures, and installs the chart from the registry on a
 * Kubernetes API. Gives the exit code; the last line is `N passed, N failed`.
 *
 * @param programs folder of the programs of Kubernetes; null: on `PATH`
 */
export async function rehearse(programs: string | null, say: Say): Promise<number> {
  const report = startReport(say);
  const version = releaseVersion();
  const folder = releaseFolder(version);
  const started = new Date();
  await withTemporaryFolder('release', async (temporary) => {
    const local = await startRegistry(await goTool(registry, say), temporary);
    const files = await serveFolder(folder);
    const origin = { registry: `${local.host}/bomtrail`, downloads: files.address };
    const program = await goTool(helm, say);
    const making: Making = { report, version, origin, folder, helm: program, isDry: true };
    try {
      await makeFiles(making);
      const images = await orNotRun(report, 'images', () => publishImages(making, say));
      const chart = await pushChart(making, program);
      await writeProvenance(making, { images: (images ?? []).map(asSubject), started });
      await writeChecksums(folder);
      const signing = await orNotRun(report, 'signatures', async () =>
        startSigning(await goTool(cosign, say), path.join(temporary, 'keys')),
      );
      if (signing) await signAll(making, signing, [chart, ...(images ?? [])]);
      await useFiles(making, temporary);
      const cluster = await orNotRun(report, 'installation', () => found(programs));
      if (cluster && images) {
        const data = path.join(temporary, 'cluster');
        mkdirSync(data);
        await installRelease(making, cluster, { images, folder: data });
      }
    } finally {
      await files.stop();
      await local.stop();
    }
  });
  say(`In ${folder}:`);
  for (const name of readdirSync(folder).sort()) say(`  ${name}`);
  for (const line of report.closingLines()) say(line);
  return report.failed ? 1 : 0;
}

function asSubject({ name, digest }: Published): Subject {
  return { name, sha256: digest.slice('sha256:'.length) };
}

function found(folder: string | null): Promise<Programs> {
  return Promise.resolve().then(() => findPrograms(folder));
}

async function publishImages(making: Making, say: Say): Promise<Published[]> {
  const { report, origin, version } = making;
  const built = await makeImages({ isTwice: false, report }, say);
  const published: Published[] = [];
  for (const image of built) {
    await imageSbomFile(image, making);
    published.push(await pushed(image, making));
  }
  const errors: string[] = [];
  for (const { name, digest } of published) {
    const digestThere = await pulledDigest(`${name}:${version}`);
    if (digestThere !== digest) errors.push(`${name} is ${digestThere}, pushed was ${digest}`);
  }
  report.check(`${published.length} images pushed to ${origin.registry}, and read again`, errors);
  return published;
}

async function pushed(image: BuiltImage, { origin, version }: Making): Promise<Published> {
  try {
    return await pushImage(image, origin, version);
  } catch (error) {
    throw new OperatorError(`${image.name}: ${(error as Error).message}`);
  }
}

async function signAll(
  { report, folder, version }: Making,
  signing: Signing,
  all: readonly Published[],
): Promise<void> {
  const checksums = path.join(folder, 'SHA256SUMS');
  const errors: string[] = [];
  for (const one of all) {
    await signing.sign(one);
    errors.push(...(await signing.errorsOf(one)));
  }
  report.check(`${all.length} signatures of chart and images are good`, errors);
  await signing.signFile(checksums);
  report.check('the signature of SHA256SUMS is good', await signing.fileErrors(checksums));
  const [first] = all;
  const strange = first ? await signing.errorsByAnotherKey(first) : [];
  report.check('a signature is refused with another key', [
    ...(strange.some((line) => line.includes('no matching signatures')) ? [] : [`${strange}`]),
  ]);
  const unattested: string[] = [];
  for (const one of all) {
    const target = /\/bomtrail-(\w+)$/.exec(one.name)?.[1];
    if (target === undefined) continue;
    const file = path.join(folder, `bomtrail-${target}-${version}.cdx.json`);
    await signing.attest(one, { file, type: 'cyclonedx' });
    unattested.push(...(await signing.attestationErrors(one, 'cyclonedx')));
  }
  report.check('the SBOM of each image is attested', unattested);
}

/** As somebody does who has nothing but the address. */
async function useFiles({ report, folder, version }: Making, temporary: string): Promise<void> {
  const sums = await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
  report.check('SHA256SUMS', sums.code === 0 ? [] : linesOf(sums.stdout + sums.stderr));
  const bin = path.join(temporary, 'bin');
  const env = { PATH: process.env.PATH, HOME: temporary, BOMTRAIL_INSTALL_DIR: bin };
  const installed = await run('sh', [path.join(folder, 'install.sh')], { env });
  const errors = installed.code === 0 ? [] : linesOf(installed.stderr, 3);
  if (errors.length === 0) {
    const said = await run(path.join(bin, 'bomtrail'), ['--version'], { env });
    if (!said.stdout.includes(version)) errors.push(`it says ${said.stdout}${said.stderr}`);
  }
  report.check('the installer installs the command line of this release', errors);
}
