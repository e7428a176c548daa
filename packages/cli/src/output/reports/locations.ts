import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BriefVulnerability } from '@bomtrail/api-client';
import type { SbomFile } from '../../gate/read-document';
import { firstLines } from './first-lines';
import { manifestsIn } from './manifests';

/** Larger manifests are named without a line. */
const maxManifestBytes = 16 * 1024 * 1024;

/** A file relative to the base folder, with `/` between its parts, and a line from 1. */
export interface Location {
  path: string;
  line: number;
}

/**
 * Locates findings: in the manifest that the document names for the component, if that file is in the folder; else in
 * the document, at the first line that names the package.
 *
 * @param folder base folder, usually the repository
 * @returns the location of a finding; null without a document in the folder
 */
export function locateFindings(
  file: SbomFile | null,
  folder: string,
  rows: readonly BriefVulnerability[],
): (row: BriefVulnerability) => Location | null {
  if (!file) return () => null;
  const text = file.bytes.toString('utf8');
  const manifests = manifestsIn(text, new Set(rows.flatMap(({ purl }) => purl ?? [])));
  const inManifest = manifestLines(folder, rows, manifests);
  const document = insideOf(folder, file.name === '-' ? '' : file.name) ?? 'sbom.json';
  const lines = firstLines(text, new Set(rows.flatMap(namesOf).map(quoted)));
  return (row) => {
    const found = inManifest(row);
    if (found) return found;
    const line = namesOf(row).map((name) => lines.get(quoted(name)));
    return { path: document, line: line.find((one) => one !== undefined) ?? 1 };
  };
}

function manifestLines(
  folder: string,
  rows: readonly BriefVulnerability[],
  manifests: ReadonlyMap<string, string>,
): (row: BriefVulnerability) => Location | null {
  const linesOf = new Map<string, ReadonlyMap<string, number>>();
  const pathOf = (row: BriefVulnerability): string | null => {
    const named = row.purl === null ? undefined : manifests.get(row.purl);
    return named === undefined ? null : insideOf(folder, named.replace(/^[/\\]+/, ''));
  };
  const byPath = new Map<string, BriefVulnerability[]>();
  for (const row of rows) {
    const at = pathOf(row);
    if (at !== null) byPath.set(at, [...(byPath.get(at) ?? []), row]);
  }
  for (const [at, named] of byPath) {
    const text = manifestText(path.join(folder, at));
    if (text !== null)
      linesOf.set(at, firstMentions(text, new Set(named.map((row) => row.package_name))));
  }
  return (row) => {
    const at = pathOf(row);
    const lines = at === null ? undefined : linesOf.get(at);
    return at === null || !lines ? null : { path: at, line: lines.get(row.package_name) ?? 1 };
  };
}

/** Null if there is no such file, so that the finding is located in the document. */
function manifestText(file: string): string | null {
  try {
    if (!existsSync(file) || !statSync(file).isFile()) return null;
    return statSync(file).size > maxManifestBytes ? '' : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The first line of a text that has each name as a whole word. */
function firstMentions(text: string, names: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
      if (/[\w-]/.test(around)) continue;
      found.set(name, countLines(text, at));
      break;
    }
  }
  return found;
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** A file relative to a folder, with `/`; null outside of it. */
function insideOf(folder: string, name: string): string | null {
  if (name === '') return null;
  const inside = path.relative(folder, path.resolve(folder, name)).split(path.sep).join('/');
  return inside === '' || inside.startsWith('..') || path.isAbsolute(inside) ? null : inside;
}

/** Names of a package in a document, most specific first. */
function namesOf({ purl, package_name }: BriefVulnerability): string[] {
  return [purl, package_name].filter((one): one is string => !!one);
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
