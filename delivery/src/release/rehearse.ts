import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { findPrograms } from '../cluster/programs';
import { buildah } from '../images/buildah';
import { makeImages } from '../images/images';
import { orNotRun, startReport } from '../report';
import { goTool, type Say } from '../tools/fetch';
import { cosign, helm, registry } from '../tools/pins';
import { linesOf, run } from '../tools/run';
import { installRelease } from './install-release';
import { pulledDigest, startRegistry } from './local-registry';
import type { Subject } from './provenance';
import { pushChart, pushImage, type Published } from './publish';
import { makeFiles, writeChecksums, writeProvenance, type Making } from './release-files';
import { releaseFolder } from './release';
import { serveFolder } from './serve-folder';
import { startSigning, type Signing } from './signing';
import { releaseVersion } from './versions';

/**
 * Makes a release against a registry and a file server of this machine, then uses it as an operator does: fetches
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
    const registryProgram = await goTool(registry, say);
    const helmProgram = await goTool(helm, say);
    const files = await serveFolder(folder);
    // Nothing that may fail stands between the start of a process and its end.
    const local = await startRegistry(registryProgram, temporary);
    try {
      const origin = { registry: `${local.host}/bomtrail`, downloads: files.address };
      const making: Making = { report, version, origin, folder, helm: helmProgram, isDry: true };
      await makeFiles(making);
      // Only a missing program is "not run": what fails with it ends the rehearsal.
      const hasBuildah = (await orNotRun(report, 'images', () => buildah('version'))) !== null;
      const images = hasBuildah ? await publishImages(making, say) : [];
      const chart = await pushChart(making, helmProgram);
      await writeProvenance(making, { images: images.map(asSubject), started });
      await writeChecksums(folder);
      const signer = await orNotRun(report, 'signatures', () => goTool(cosign, say));
      if (signer !== null) {
        const signing = await startSigning(signer, path.join(temporary, 'keys'));
        await signAll(making, signing, [chart, ...images]);
      }
      await useFiles(making, temporary);
      const cluster = await orNotRun(report, 'installation', () => findPrograms(programs));
      if (cluster && images.length === 0) report.notRun('installation', 'there are no images');
      if (cluster && images.length > 0) {
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

async function publishImages(making: Making, say: Say): Promise<Published[]> {
  const { report, origin, version } = making;
  const built = await makeImages({ isTwice: false, report }, say);
  const published: Published[] = [];
  for (const image of built) published.push(await pushImage(image, origin, version));
  const errors: string[] = [];
  for (const { name, digest } of published) {
    const digestThere = await pulledDigest(`${name}:${version}`);
    if (digestThere !== digest) errors.push(`${name} is ${digestThere}, pushed was ${digest}`);
  }
  report.check(`${published.length} images pushed to ${origin.registry}, and read again`, errors);
  return published;
}

async function signAll(
  { report, folder }: Making,
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
