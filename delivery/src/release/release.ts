import { readdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError, repositoryRoot } from '@bomtrail/embedded';
import { orNotRun, startReport } from '../report';
import { goTool, type Say } from '../tools/fetch';
import { helm } from '../tools/pins';
import { originErrors, type Origin } from './origin';
import { makeFiles, writeChecksums, writeProvenance, type Making } from './release-files';
import { releaseVersion } from './versions';

/** What the workflow does besides: it has a registry, a container engine, an identity to sign with. */
const leftToTheWorkflow = [
  'build the images for linux/amd64 and linux/arm64 (docker-bake.hcl), with SBOM and provenance attested, and push them',
  'push the chart',
  'sign images, chart and checksums with cosign, by the identity of the workflow',
  'publish the release with its notes and files',
];

/** Folder of a release's files. */
export function releaseFolder(version: string): string {
  return path.join(repositoryRoot(), '.cache', 'release', version);
}

/**
 * Makes the files of a release, into `.cache/release/<version>`, and publishes nothing. Gives the exit code; the last
 * line is `N passed, N failed`.
 */
export async function release(origin: Origin, say: Say): Promise<number> {
  const wrong = originErrors(origin);
  if (wrong.length > 0) throw new OperatorError(wrong.join(' '));
  const report = startReport(say);
  const version = releaseVersion();
  const folder = releaseFolder(version);
  const program = await orNotRun(report, 'chart', () => goTool(helm, say));
  const started = new Date();
  const making: Making = { report, version, origin, folder, helm: program, isDry: false };
  await makeFiles(making);
  await writeProvenance(making, { images: [], started });
  await writeChecksums(folder);
  say(`In ${folder}:`);
  for (const name of readdirSync(folder).sort()) say(`  ${name}`);
  say('Left to the workflow (.github/workflows/release.yml):');
  for (const step of leftToTheWorkflow) say(`  ${step}`);
  for (const line of report.closingLines()) say(line);
  return report.failed ? 1 : 0;
}
