import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './real-data';

/** An example SBOM of the repository, e.g. `web-shop-1.0.0.cdx.json`. */
export function example(name: string): Buffer {
  return readFileSync(path.join(repositoryRoot, 'examples', 'sboms', name));
}

/**
 * An npm document of our own with the given packages, e.g. `lodash@4.17.15`; `label` makes its bytes
 * its own.
 */
export function npmDocument(label: string, packages: readonly string[]): Buffer {
  const components = packages.map((text) => {
    const at = text.lastIndexOf('@');
    const [name, version] = [text.slice(0, at), text.slice(at + 1)];
    return {
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${encodeURIComponent(name)}@${version}`,
    };
  });
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: label } },
    components,
  };
  return Buffer.from(JSON.stringify(document));
}
