import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Component {
  type: string;
  name: string;
  version: string;
  purl: string;
}

interface CycloneDx {
  components: Component[];
}

/**
 * The SBOM of an image from its root: the packages in its bundles, which stand in `/app/sbom.cdx.json`, the packages of
 * Debian and Node.js.
 *
 * @param root folder of the image's files
 */
export function imageSbom(root: string, nodeVersion: string): CycloneDx {
  const file = path.join(root, 'app', 'sbom.cdx.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as CycloneDx;
  const node: Component = {
    type: 'platform',
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
  };
  return { ...document, components: [...document.components, node, ...debianPackages(root)] };
}

/** What `deploy/docker/runtime-root.sh` wrote for scanners of images. */
function debianPackages(root: string): Component[] {
  const folder = path.join(root, 'var', 'lib', 'dpkg', 'status.d');
  if (!existsSync(folder)) return [];
  const release = /^VERSION_ID="?(\d+)/m.exec(
    readFileSync(path.join(root, 'etc', 'os-release'), 'utf8'),
  )?.[1];
  return readdirSync(folder)
    .sort()
    .map((name): Component => {
      const status = readFileSync(path.join(folder, name), 'utf8');
      const field = (title: string): string =>
        new RegExp(`^${title}: (.+)$`, 'm').exec(status)?.[1] ?? '';
      const version = field('Version');
      const arch = field('Architecture');
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-${release}`;
      return { type: 'library', name, version, purl };
    });
}
