import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { valueSets, type Values } from '../chart/files';
import { checkSet, prepare } from '../cluster/check-cluster';
import { objectsOf } from '../cluster/observe';
import type { Programs } from '../cluster/programs';
import { startCluster } from '../cluster/start-cluster';
import { chartAddress } from './origin';
import type { Published } from './publish';
import type { Making } from './release-files';

/** Value sets that are installed from the registry; `npm run test:cluster-api` installs all from the folder. */
const installed = ['minimal', 'external', 'keda'];

/**
 * Installs the chart from the registry on a Kubernetes API, with nothing set about images: the images that its pods
 * name must be those that were pushed.
 *
 * @param folder for the cluster's data; must be empty
 */
export async function installRelease(
  { report, origin, version }: Making,
  programs: Programs,
  { images, folder }: { images: readonly Published[]; folder: string },
): Promise<void> {
  const chart = [chartAddress(origin), '--version', version, '--plain-http'];
  const pushed = new Set(images.map(({ name, tag }) => `${name}:${tag}`));
  const cluster = await startCluster(programs, folder);
  try {
    await prepare(cluster);
    for (const { name, values } of valueSets().filter((set) => installed.includes(set.name))) {
      const file = path.join(folder, `${name}.yaml`);
      await writeFile(file, stringify(withoutImages(values)));
      await checkSet({ report, cluster, chart }, { name, file }, async (release) => {
        const pods = await objectsOf(release, 'pods');
        const ours = pods
          .flatMap(({ spec }) => (spec?.containers ?? []).map(({ image }) => image))
          .filter((image) => image.includes('bomtrail-'));
        const others = [...new Set(ours)].filter((image) => !pushed.has(image));
        report.check(`${name}: the images of all pods are those that were pushed`, [
          ...(ours.length === 0 ? ['no pod has an image of ours'] : []),
          ...others.map((image) => `${image} was not pushed`),
        ]);
      });
    }
  } finally {
    await cluster.stop();
  }
}

/** What an operator sets who takes the images that the release names. */
function withoutImages({ image: _, ...values }: Values): Values {
  return values;
}
