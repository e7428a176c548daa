import { createHash } from 'node:crypto';
import type { CycloneDxComponent, CycloneDxDocument } from './cyclonedx-document';

/** Modules that the starter set of advisories knows something about, with the advisories that match. */
const knownModules: readonly { name: string; version: string; advisories: readonly string[] }[] = [
  { name: 'github.com/dgrijalva/jwt-go', version: 'v3.2.0', advisories: ['GO-2020-0017'] },
  { name: 'github.com/gin-gonic/gin', version: 'v1.4.0', advisories: ['GO-2023-1737'] },
  {
    name: 'golang.org/x/crypto',
    version: 'v0.0.0-20200622213623-75b288015ac9',
    advisories: ['GO-2023-2402', 'GO-2024-3321'],
  },
  {
    name: 'golang.org/x/net',
    version: 'v0.0.0-20210405180319-a5a99cb37ef4',
    advisories: ['GO-2023-2102'],
  },
  { name: 'golang.org/x/text', version: 'v0.3.5', advisories: ['GO-2022-1059'] },
];

/** A Go document of `size` components in the shape of cyclonedx-gomod's: a few known modules, the rest made up. */
export function generatedDocument(size: number): CycloneDxDocument {
  const madeUp = Array.from({ length: Math.max(0, size - knownModules.length) }, (_, i) =>
    goComponent(`example.com/bench/module-${String(i + 1).padStart(4, '0')}`, versionOf(i)),
  );
  const components = [
    ...knownModules.map((module) => goComponent(module.name, module.version)),
    ...madeUp,
  ];
  const root = goComponent('example.com/bench/product', 'v1.0.0');
  const rootRef = root['bom-ref'] ?? '';
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.4',
    serialNumber: 'urn:uuid:00000000-0000-4000-8000-000000000000',
    version: 1,
    metadata: { timestamp: '2026-01-01T00:00:00Z', component: { ...root, type: 'application' } },
    components,
    dependencies: [
      { ref: rootRef, dependsOn: components.map((component) => component['bom-ref'] ?? '') },
      ...components.map((component) => ({ ref: component['bom-ref'] ?? '' })),
    ],
  };
}

/** The (purl, advisory id) pairs that must at least be found in a generated document. */
export function generatedPairs(): string[] {
  return knownModules.flatMap((module) =>
    module.advisories.map((id) => `${purlOf(module.name, module.version)}\t${id}`),
  );
}

/** Advisories about every version of a module, as [id, module], that give a generated document the same pairs. */
export function generatedAdvisories(): [id: string, module: string][] {
  return knownModules.flatMap(({ name, advisories }) =>
    advisories.map((id): [string, string] => [id, name]),
  );
}

function goComponent(name: string, version: string): CycloneDxComponent {
  return {
    'bom-ref': purlOf(name, version),
    type: 'library',
    name,
    version,
    scope: 'required',
    hashes: [{ alg: 'SHA-256', content: sha256(`${name}@${version}`) }],
    licenses: [{ license: { id: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } }],
    purl: purlOf(name, version),
    externalReferences: [{ url: `https://${name}`, type: 'vcs' }],
  };
}

/** Two thirds releases and one third commits without a tag, as in real module graphs. */
function versionOf(index: number): string {
  if (index % 3 !== 2) return `v${index % 2}.${index % 17}.${index % 7}`;
  return `v0.0.0-20200${1 + (index % 9)}15103000-${sha256(String(index)).slice(0, 12)}`;
}

function purlOf(name: string, version: string): string {
  return `pkg:golang/${name}@${version}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
