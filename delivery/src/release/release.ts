import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { chartFile, valueSets } from '../chart/files';
import { render } from '../chart/render';
import { orNotRun, startReport, type Report } from '../report';
import { goTool, type Say } from '../tools/fetch';
import { helm } from '../tools/pins';
import { linesOf, run } from '../tools/run';
import { changelog, readHistory } from './changelog';
import { namedVersions, otherVersions, releaseVersion } from './versions';

/** What only the workflow can do: it needs a registry, a container engine, an identity to sign with. */
const leftToTheWorkflow = [
  'build the images for linux/amd64 and linux/arm64 with buildx, with SBOM and provenance attested',
  'make the executables of the command line (npm run executables)',
  'sign images, chart and checksums with cosign, by the identity of the workflow',
  'push images and chart to the registry',
  'publish the release with its notes and files',
];

/**
 * Makes everything of a release that can be made here, into `.cache/release/<version>`, and publishes
 * nothing. Gives the exit code; the last line is `N passed, N failed`.
 */
export async function release(say: Say): Promise<number> {
  const report = startReport(say);
  const version = releaseVersion();
  const folder = path.join(repositoryRoot(), '.cache', 'release', version);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  report.check(`every place names ${version}`, otherVersions(namedVersions(), version));
  await notes(report, version, folder);
  await chart({ report, say, folder }, version);
  await cli(report, folder);
  await bundles(report);
  await contents(report, folder);
  await checksums(folder);
  say(`In ${folder}:`);
  for (const name of readdirSync(folder).sort()) say(`  ${name}`);
  say('Left to the workflow (.github/workflows/release.yml):');
  for (const step of leftToTheWorkflow) say(`  ${step}`);
  for (const line of report.closingLines()) say(line);
  return report.failed ? 1 : 0;
}

async function notes(report: Report, version: string, folder: string): Promise<void> {
  const history = await orNotRun(report, 'notes', () => readHistory(version));
  if (!history) return;
  const today = new Date().toISOString().slice(0, 10);
  await writeFile(path.join(folder, 'CHANGELOG.md'), changelog(version, today, history));
  const nothing = history.subjects.length === 0 ? [`nothing was done since ${history.since}`] : [];
  report.check(`notes of ${history.subjects.length} commits`, nothing);
}

/** Packs the chart and renders the package: it must not need anything that lies beside it here. */
async function chart(
  { report, say, folder }: { report: Report; say: Say; folder: string },
  version: string,
): Promise<void> {
  const binary = await orNotRun(report, 'helm package', () => goTool(helm, say));
  if (!binary) return;
  const ended = await run(binary, ['package', chartFile(), '--destination', folder]);
  report.check('helm package', ended.code === 0 ? [] : linesOf(ended.stderr));
  if (ended.code !== 0) return;
  const packed = path.join(folder, `bomtrail-${version}.tgz`);
  const differing: string[] = [];
  for (const { name, file, values } of valueSets()) {
    // A key is made anew by each rendering.
    if ((values['apiKey'] as { create?: boolean } | undefined)?.create) continue;
    const [here, there] = [await render(binary, [file]), await render(binary, [file], packed)];
    if (here.text !== there.text) differing.push(`${name} is rendered otherwise`);
  }
  report.check('the packed chart renders what the folder renders', differing);
}

async function cli(report: Report, folder: string): Promise<void> {
  const workspace = path.join('packages', 'cli');
  if (!existsSync(path.join(repositoryRoot(), workspace, 'package.json'))) {
    report.notRun('npm pack of the CLI', `there is no ${workspace}`);
    return;
  }
  const args = ['pack', '--workspace', workspace, '--pack-destination', folder, '--ignore-scripts'];
  const ended = await run('npm', args, { cwd: repositoryRoot() });
  report.check('npm pack of the CLI', ended.code === 0 ? [] : linesOf(ended.stderr));
}

/** The programs of the images, as the Dockerfile makes them. */
async function bundles(report: Report): Promise<void> {
  const script = path.join('scripts', 'bundle.mjs');
  if (!existsSync(path.join(repositoryRoot(), script))) {
    report.notRun('bundles of the images', `there is no ${script}`);
    return;
  }
  const ended = await run(process.execPath, [script], { cwd: repositoryRoot() });
  report.check('bundles of the images', ended.code === 0 ? [] : linesOf(ended.stderr));
}

/** What the product is made of, as an SBOM of its own. */
async function contents(report: Report, folder: string): Promise<void> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const ended = await run('npm', args, { cwd: repositoryRoot() });
  const good = ended.code === 0 && ended.stdout.includes('"CycloneDX"');
  report.check('SBOM of the product', good ? [] : linesOf(ended.stderr || ended.stdout, 5));
  if (good) await writeFile(path.join(folder, 'bomtrail.cdx.json'), ended.stdout);
}

async function checksums(folder: string): Promise<void> {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const bytes = readFileSync(path.join(folder, name));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    });
  await writeFile(path.join(folder, 'SHA256SUMS'), lines.join(''));
}
