import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileInput } from '../hostile-input';
import { accepted, withComponents } from './documents';

const ecosystem = 'npm';
const packages = 1_000;
const advisoriesPerPackage = 500;
/** Packages that one advisory is about. */
const packagesPerAdvisory = 20;

const packageName = (n: number): string => `many-findings-${n}`;

/** 25,000 advisories; 500 of them match version 1.0.0 of each package. */
function publish(advisoryFolder: string): void {
  const folder = join(advisoryFolder, ecosystem);
  mkdirSync(folder, { recursive: true });
  for (let group = 0; group * packagesPerAdvisory < packages; group += 1) {
    const names = Array.from({ length: packagesPerAdvisory }, (_, n) =>
      packageName(group * packagesPerAdvisory + n),
    );
    for (let n = 0; n < advisoriesPerPackage; n += 1) {
      const id = `CVE-2090-${String(group * advisoriesPerPackage + n).padStart(6, '0')}`;
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(record(id, names)));
    }
  }
}

function record(id: string, names: readonly string[]): object {
  return {
    id,
    modified: '2026-01-01T00:00:00Z',
    published: '2026-01-01T00:00:00Z',
    summary: `${id} in ${names.length} packages`,
    details: `What ${id} is about, in as many words as such a text usually has. `.repeat(8),
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    affected: names.map((name) => ({
      package: { ecosystem, name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    })),
  };
}

/** One package in 1,000 versions, each with 500 advisories. */
const versions = 1_000;

const manyVersions = (): Buffer =>
  withComponents(
    Array.from({ length: versions }, (_, n) => {
      const [name, version] = [packageName(0), `1.0.${n}`];
      return { type: 'library', name, version, purl: `pkg:npm/${name}@${version}` };
    }),
  );

function vulnerable(count: number): Buffer {
  return withComponents(
    Array.from({ length: count }, (_, n) => {
      const name = packageName(n);
      return { type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` };
    }),
  );
}

function findingsOf(count: number): HostileInput {
  const findings = count * advisoriesPerPackage;
  return {
    name: `findings-${findings / 1_000}k`,
    what: `${count} packages with ${findings.toLocaleString('en')} findings`,
    expected: accepted,
    prepare: publish,
    vulnerabilities: findings,
    send: async (transports) => [await transports.upload(vulnerable(count))],
  };
}

/** Documents that are small and have very many findings, from the smallest. */
export const findingInputs: readonly HostileInput[] = [
  ...[100, 400, packages].map(findingsOf),
  {
    name: 'findings-versions',
    what: `one package in ${versions} versions, each with ${advisoriesPerPackage} findings`,
    expected: accepted,
    prepare: publish,
    vulnerabilities: advisoriesPerPackage,
    send: async (transports) => [await transports.upload(manyVersions())],
  },
];
