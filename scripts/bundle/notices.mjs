import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Licences of the packages in a bundle, as most of them ask to be passed on. */
export function noticesOf(packages) {
  const parts = [...packages].sort(byName).map(({ name, version, license, folder }) => {
    const texts = readdirSync(folder)
      .filter((file) => licenceFile.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'no licence named'})`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}

/**
 * What an image of ours contains, as a CycloneDX 1.6 document: the packages whose code is in its
 * bundles, without those of bomtrail itself.
 */
export function sbomOf({ image, version, packages }) {
  const components = [...packages].sort(byName).map(({ name, version: release, license }) => ({
    type: 'library',
    'bom-ref': purlOf(name, release),
    ...groupAndName(name),
    version: release,
    ...(license ? { licenses: [{ expression: license }] } : {}),
    purl: purlOf(name, release),
  }));
  const root = `pkg:generic/bomtrail-${image}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: `bomtrail-${image}`,
        version,
        purl: root,
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

function groupAndName(full) {
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full];
  return group ? { group, name } : { name };
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}
