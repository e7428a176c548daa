import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot, withTemporaryFolder } from '@bomtrail/embedded';
import { valueSets } from '../chart/files';
import { render } from '../chart/render';
import { orNotRun, type Report } from '../report';
import { linesOf, run } from '../tools/run';
import { nodeOfImages } from '../images/base-image';
import { lastCommit } from '../images/images';
import { readChangelog, readHistory, releaseNotes, sectionOf } from './changelog';
import type { Origin } from './origin';
import { provenance, sha256Of, type Subject } from './provenance';
import { stampChart, stampedInstaller } from './stamp';
import { namedVersions, otherVersions } from './versions';

/** A release in the making. */
export interface Making {
  readonly report: Report;
  readonly version: string;
  readonly origin: Origin;
  /** Where its files go. */
  readonly folder: string;
  /** The program; null: there is none, and the report says so. */
  readonly helm: string | null;
  /** Nothing is published: what stands under "Unreleased" counts as the version's. */
  readonly isDry: boolean;
}

/** Empties the folder of a release and makes its files, but for the checksums. */
export async function makeFiles(making: Making): Promise<void> {
  const { folder, report, version, helm } = making;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  report.check(`every place names ${version}`, otherVersions(namedVersions(), version));
  await notes(making);
  if (helm !== null) await chart(making, helm);
  await npm(making, 'npm pack of the command line', [
    ...['pack', '--workspace', path.join('packages', 'cli'), '--pack-destination', folder],
    '--ignore-scripts',
  ]);
  await executables(making);
  await writeFile(path.join(folder, 'install.sh'), await stampedInstaller(making.origin));
  await contents(making);
}

async function notes({ report, version, folder, isDry }: Making): Promise<void> {
  const history = await orNotRun(report, 'notes', () => readHistory(version));
  if (!history) return;
  const changes = readChangelog();
  const own = sectionOf(changes, version);
  const unreleased = sectionOf(changes, 'Unreleased') ?? '';
  const described = [isDry ? unreleased : '', own ?? ''].filter((text) => text !== '').join('\n\n');
  const date = new Date().toISOString().slice(0, 10);
  const text = releaseNotes({ version, date, described, ...history });
  await writeFile(path.join(folder, 'RELEASE-NOTES.md'), text);
  report.check(`notes: CHANGELOG.md and ${history.subjects.length} commits`, [
    ...(history.subjects.length === 0 ? [`nothing was done since ${history.since}`] : []),
    ...(described === '' ? [`CHANGELOG.md does not describe ${version}`] : []),
    ...(!isDry && unreleased !== ''
      ? [`CHANGELOG.md: move what is under "Unreleased" to ${version}`]
      : []),
  ]);
}

/** Packs the chart with the release's registry, and renders the package: it must not need anything that lies beside it here. */
async function chart({ report, version, origin, folder }: Making, helm: string): Promise<void> {
  await withTemporaryFolder('chart', async (temporary) => {
    const stamped = path.join(temporary, 'bomtrail');
    await stampChart(stamped, version, origin);
    const ended = await run(helm, ['package', stamped, '--destination', folder]);
    report.check('helm package', ended.code === 0 ? [] : linesOf(ended.stderr));
    if (ended.code !== 0) return;
    const packed = path.join(folder, `bomtrail-${version}.tgz`);
    const differing: string[] = [];
    for (const { name, file, values } of valueSets()) {
      // A key is made anew by each rendering.
      if ((values['apiKey'] as { create?: boolean } | undefined)?.create) continue;
      const [here, there] = [await render(helm, [file]), await render(helm, [file], packed)];
      if (here.text !== there.text) differing.push(`${name} is rendered otherwise`);
    }
    report.check('the packed chart renders what the folder renders', differing);
  });
}

/** The command line for each system, with Node.js inside. */
async function executables({ report, folder }: Making): Promise<void> {
  const script = path.join('packages', 'cli', 'executables.mjs');
  const cwd = repositoryRoot();
  const made = path.join(cwd, '.cache', 'executables');
  await rm(made, { recursive: true, force: true });
  const ended = await run(process.execPath, [script], { cwd, timeout: 15 * 60_000 });
  const archives = existsSync(made)
    ? readdirSync(made).filter((name) => name.endsWith('.tar.gz'))
    : [];
  for (const name of archives) await copyFile(path.join(made, name), path.join(folder, name));
  report.check(
    `executables of the command line: ${archives.length}`,
    ended.code === 0 ? [] : linesOf(ended.stderr, 5),
  );
}

/** What the product is made of, as an SBOM of its own. */
async function contents(making: Making): Promise<void> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const text = await npm(making, 'SBOM of the product', args);
  if (text?.includes('"CycloneDX"'))
    await writeFile(path.join(making.folder, 'bomtrail.cdx.json'), text);
}

async function npm({ report }: Making, name: string, args: string[]): Promise<string | null> {
  const ended = await run('npm', args, { cwd: repositoryRoot() });
  report.check(name, ended.code === 0 ? [] : linesOf(ended.stderr || ended.stdout, 5));
  return ended.code === 0 ? ended.stdout : null;
}

/** Writes the provenance of all files of the folder, and of images that were pushed. */
export async function writeProvenance(
  { folder }: Making,
  { images, started }: { images: readonly Subject[]; started: Date },
): Promise<void> {
  const files = readdirSync(folder)
    .sort()
    .map((name) => ({ name, sha256: sha256Of(path.join(folder, name)) }));
  const { env } = process;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_WORKFLOW_REF: workflow } = env;
  const statement = provenance([...files, ...images], {
    commit: (await lastCommit()).commit,
    repository: server && name ? `${server}/${name}` : null,
    builder: server && workflow ? `${server}/${workflow}` : 'urn:bomtrail:local',
    nodeImage: `node:${nodeOfImages()}`,
    startedAt: started.toISOString(),
    finishedAt: new Date().toISOString(),
  });
  const file = path.join(folder, 'provenance.intoto.json');
  await writeFile(file, `${JSON.stringify(statement, null, 2)}\n`);
}

/** Writes `SHA256SUMS` of all files of the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const lines = readdirSync(folder)
    .filter((name) => !name.startsWith('SHA256SUMS'))
    .sort()
    .map((name) => `${sha256Of(path.join(folder, name))}  ${name}\n`);
  await writeFile(path.join(folder, 'SHA256SUMS'), lines.join(''));
}
