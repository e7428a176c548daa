import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kubernetesSchemas, kubernetesVersion, type GoTool } from '../tools/pins';
import { kubeconform } from '../tools/pins';
import { goTool, wheelFolder, type Say } from '../tools/fetch';
import { linesOf, run } from '../tools/run';

/** Groups of custom resources, which Kubernetes' own schemas do not know: `custom-resources.ts`. */
const customKinds = [
  'GRPCRoute',
  'HTTPRoute',
  'ReferenceGrant',
  'PodMonitor',
  'PrometheusRule',
  'ScaledObject',
  'ServiceMonitor',
];

/** Checks rendered objects against Kubernetes' schemas; unknown fields are errors. */
export type Conform = (text: string) => Promise<string[]>;

/** Fetches kubeconform and the schemas. @throws Error if they are not available */
export async function conformer(say: Say): Promise<Conform> {
  const tool: GoTool = kubeconform;
  const binary = await goTool(tool, say);
  const inside = `kubernetes_validate/kubernetes-json-schema/v${kubernetesVersion}-local-strict`;
  const schemas = await localSchemas(await wheelFolder(kubernetesSchemas, inside, say));
  const where = path.join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const args = ['-strict', '-summary', '-schema-location', where, '-skip', customKinds.join()];
  return async (text) => {
    const file = path.join(schemas, '..', `rendered-${process.pid}.yaml`);
    await writeFile(file, text);
    try {
      const ended = await run(binary, [...args, file]);
      return ended.code === 0 ? [] : linesOf(ended.stdout + ended.stderr);
    } finally {
      await rm(file);
    }
  };
}

/** Rewrites references between schemas to local files. */
async function localSchemas(folder: string): Promise<string> {
  const made = `${folder}-files`;
  if (existsSync(made)) return made;
  const temporary = `${made}-${process.pid}`;
  await mkdir(temporary, { recursive: true });
  for (const name of await readdir(folder)) {
    const text = await readFile(path.join(folder, name), 'utf8');
    const schema = JSON.parse(
      text.replaceAll(/"\/api\/_definitions\.json#/g, '"_definitions.json#'),
    ) as {
      $id?: string;
    };
    delete schema.$id;
    await writeFile(path.join(temporary, name), JSON.stringify(schema));
  }
  await rename(temporary, made);
  return made;
}
