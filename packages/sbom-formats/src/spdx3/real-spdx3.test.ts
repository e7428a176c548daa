import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createSbomReader } from '../read-sbom';

/** Real documents beside the checkout; they are no part of the product. */
const FOLDER = join(__dirname, '../../../../../shared/data/spdx3');
const LIMITS = { maxComponents: 500_000 };

/**
 * Counted in the documents by other means: dependencies are packages with different purl, name and version,
 * without the root; direct ones are what the relationships of the root name.
 */
const REAL: [file: string, counts: [deps: number, purls: number, direct: number], root: string][] =
  [
    [
      'real/jenkins-org.jenkins-ci.main_jenkins-parent-2.572-SNAPSHOT.spdx3.json',
      [87, 87, 60],
      'pkg:maven/org.jenkins-ci.main/jenkins-parent@2.572-SNAPSHOT',
    ],
    [
      'real/microsoft-sbom-tool-manifest.spdx3.json.gz',
      [266, 266, 48],
      'pkg:swid/Microsoft/spdx.org/sbom-tool%20sample@4.0.3?tag_id=2d7ec67d-6477-4811-b1b0-8dfb4eaebea0',
    ],
    ['real/yocto-core-image-minimal-rootfs.spdx3.json.gz', [127, 0, 127], ''],
    ['real/zephyr-build.spdx3.json.gz', [141, 0, 141], ''],
    ['real/zephyr-zephyr.spdx3.json.gz', [65, 0, 65], ''],
    ['real/zephyr-app.spdx3.json', [1, 0, 1], ''],
    ['real/linux-sbom-output.spdx3.json', [1, 0, 1], ''],
    ['real/linux-sbom-source.spdx3.json.gz', [0, 0, 0], ''],
    ['real/windows-windows-11.spdx3.json.gz', [1, 0, 1], ''],
    ['examples/software-example9-appbomination.spdx3.json', [6, 4, 3], ''],
    [
      'examples/software-example11-sbom.spdx3.json',
      [3, 3, 3],
      'pkg:deb/debian/libselinux1-dev@3.1-3?arch=s390x',
    ],
    ['examples/ai-example01-simplehtr-example.spdx3.json', [12, 0, 7], ''],
    ['tools/carabiner-software.spdx3.json', [1, 1, 1], ''],
    ['tools/carabiner-inline.spdx3.json', [1, 0, 1], ''],
  ];

if (!existsSync(FOLDER)) {
  test.skip('real SPDX 3: skipped, there is no folder ../shared/data/spdx3', () => undefined);
} else {
  const reader = createSbomReader();
  const read = (file: string) => {
    const bytes = readFileSync(join(FOLDER, file));
    return reader.read(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, LIMITS);
  };
  const accepted = (file: string) => {
    const result = read(file);
    if (!result.ok) throw new Error(result.detail);
    return result.sbom;
  };
  const filesIn = (folder: string) =>
    readdirSync(join(FOLDER, folder)).map((name) => `${folder}/${name}`);

  describe('real documents of SPDX 3', () => {
    test.each(REAL)('%s has %j dependencies, purls and direct ones', (file, counts, root) => {
      const { dependencies, roots, format } = accepted(file);
      expect(format).toBe('spdx');
      expect([
        dependencies.length,
        dependencies.filter(({ purl }) => purl !== null).length,
        dependencies.filter(({ is_direct }) => is_direct).length,
      ]).toEqual(counts);
      expect(roots.map(({ purl }) => purl)).toEqual(root === '' ? [] : [root]);
    });

    test.each([...filesIn('real'), ...filesIn('examples'), ...filesIn('tools')])(
      '%s is accepted in its version',
      (file) => {
        expect(accepted(file).specVersion).toBe(file.includes('microsoft') ? '3.0' : '3.0.1');
      },
    );

    test('have licences; those named by ids that the document does not have are unknown', () => {
      const counts: Record<string, number> = {};
      for (const { license } of accepted(REAL[0]?.[0] ?? '').dependencies)
        counts[String(license)] = (counts[String(license)] ?? 0) + 1;
      expect(counts).toEqual({
        'Apache-2.0': 33,
        MIT: 18,
        'BSD-2-Clause': 3,
        'CDDL-1.1': 1,
        null: 32,
      });
      const yocto = accepted('real/yocto-core-image-minimal-rootfs.spdx3.json.gz').dependencies;
      expect(yocto.find(({ name }) => name === 'libacl1')?.license).toBe('LGPL-2.1-or-later');
    });

    test.each(filesIn('pre-release').filter((file) => !file.includes('converted')))(
      '%s is a draft, which is said with what to do',
      (file) => {
        expect(read(file)).toMatchObject({
          ok: false,
          code: 'unsupported_sbom_version',
          detail: expect.stringMatching(/pre-release.*Update the tool/) as string,
        });
      },
    );
  });
}
