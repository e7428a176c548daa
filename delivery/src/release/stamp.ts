import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { parseDocument } from 'yaml';
import { chartFile } from '../chart/files';
import { imageTargets } from '../images/build-images';
import { imageName, type Origin } from './origin';

/**
 * Copies the chart with the release's registry as its default, and with the list of its images for mirrors and scanners.
 *
 * @param folder for the copy; its name must be the chart's
 */
export async function stampChart(folder: string, version: string, origin: Origin): Promise<void> {
  await cp(chartFile(), folder, { recursive: true });
  const values = path.join(folder, 'values.yaml');
  const text = await readFile(values, 'utf8');
  await writeFile(
    values,
    replaceOnce(text, "  registry: ''\n", `  registry: ${origin.registry}\n`),
  );
  const file = path.join(folder, 'Chart.yaml');
  const chart = parseDocument(await readFile(file, 'utf8'));
  const images = imageTargets.map(
    (target) => `- name: ${target}\n  image: ${imageName(origin, target)}:${version}\n`,
  );
  chart.setIn(['annotations', 'artifacthub.io/images'], images.join(''));
  await writeFile(file, chart.toString());
}

/** The installer of the command line, with the release's address as its default. */
export async function stampedInstaller({ downloads }: Origin): Promise<string> {
  const file = path.join(repositoryRoot(), 'templates', 'install', 'install.sh');
  const text = await readFile(file, 'utf8');
  return replaceOnce(text, '${BOMTRAIL_DOWNLOADS:-}', `\${BOMTRAIL_DOWNLOADS:-${downloads}}`);
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`${from.trim()} does not stand there once.`);
  return text.replace(from, () => to);
}
