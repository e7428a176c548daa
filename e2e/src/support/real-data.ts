import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's root, from `src/` and from `dist/`. */
export const repositoryRoot = path.join(__dirname, '..', '..', '..');

const dataFolder = path.join(repositoryRoot, '..', 'shared', 'data');

/** Real SBOMs, advisories and expected matches beside the checkout; null where they are missing. */
export interface RealData {
  advisories: string;
  /** A day of EPSS scores and CISA's catalogue, as published. */
  epss: string;
  kev: string;
  /** Names of the CycloneDX and SPDX 2 documents. */
  documents: string[];
  read(document: string): Buffer;
  /** `purl ⇥ advisory` pairs. */
  expected(document: string): Set<string>;
}

export function realData(): RealData | null {
  if (!existsSync(path.join(dataFolder, 'advisories'))) return null;
  const index = JSON.parse(readFileSync(path.join(dataFolder, 'sboms', 'INDEX.json'), 'utf8')) as {
    name: string;
    fmt: string;
  }[];
  return {
    advisories: path.join(dataFolder, 'advisories'),
    epss: path.join(dataFolder, 'epss', 'epss_scores-2026-08-15.csv.gz'),
    kev: path.join(dataFolder, 'kev', 'known_exploited_vulnerabilities-2026-08-07.json'),
    documents: index.filter(({ fmt }) => !fmt.startsWith('SPDX3')).map(({ name }) => name),
    read: (document) => readFileSync(path.join(dataFolder, 'sboms', document)),
    expected(document) {
      const name = document.replace(/\.json$/, '.tsv');
      if (!readdirSync(path.join(dataFolder, 'expected')).includes(name)) return new Set();
      const lines = readFileSync(path.join(dataFolder, 'expected', name), 'utf8').split('\n');
      return new Set(lines.filter((line) => line.startsWith('pkg:')));
    },
  };
}
