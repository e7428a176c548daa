import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readSbom } from './index';

const FOLDER = join(__dirname, '../../../examples/sboms');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

describe('the example products', () => {
  test('are three, each in two versions', () => {
    expect(files).toEqual([
      'order-service-1.0.0.cdx.json',
      'order-service-1.1.0.cdx.json',
      'report-service-1.0.0.spdx.json',
      'report-service-1.1.0.spdx.json',
      'web-shop-1.0.0.cdx.json',
      'web-shop-1.1.0.cdx.json',
    ]);
  });

  test.each(files)('%s is accepted, with licences, purls and a graph of several levels', (name) => {
    const result = readSbom(readFileSync(join(FOLDER, name)), { maxComponents: 100 });
    if (!result.ok) throw new Error(result.detail);
    const { dependencies, format, rootName } = result.sbom;
    const product = name.slice(0, name.lastIndexOf('-'));
    expect(rootName).toBe(format === 'cyclonedx' ? product : null);
    expect(dependencies.length).toBeGreaterThanOrEqual(15);
    expect(dependencies.length).toBeLessThanOrEqual(30);
    for (const { purl, version, license, type } of dependencies) {
      expect(purl).toContain(`@${version}`);
      expect(license).toMatch(/^[A-Za-z0-9.-]+( OR [A-Za-z0-9.-]+)*$/);
      expect(type).toBe('library');
    }
    const direct = dependencies.filter(({ is_direct }) => is_direct);
    expect(direct.length).toBeGreaterThanOrEqual(7);
    expect(direct.length).toBeLessThan(dependencies.length);
    expect(dependencies.map((dependency) => dependency.name)).not.toContain(product);
  });
});
