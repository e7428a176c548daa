import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../tools/run';

/** Go modules with the definitions of custom resources that the chart and docs/operations/servers.md know, and their folders inside. */
const modules = [
  { module: 'github.com/kedacore/keda/v2@v2.17.2', folder: 'config/crd/bases' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
  { module: 'sigs.k8s.io/gateway-api@v1.3.0', folder: 'config/crd/standard' },
  { module: 'github.com/mongodb/mongodb-kubernetes-operator@v0.9.0', folder: 'config/crd/bases' },
];

/** Folders with the definitions; Go's module cache has them, checked by its checksum database. @throws Error with Go's reason */
export async function definitionFolders(): Promise<string[]> {
  const folders: string[] = [];
  for (const { module, folder } of modules) {
    const env = { ...process.env, GOFLAGS: '' };
    const ended = await run('go', ['mod', 'download', '-json', module], { env });
    const { Dir, Error: why } = JSON.parse(ended.stdout) as { Dir?: string; Error?: string };
    if (Dir === undefined) throw new Error(`${module}: ${why ?? 'Go gave no reason'}`);
    const inside = path.join(Dir, folder);
    if (!existsSync(inside)) throw new Error(`${module} has no folder ${folder}.`);
    folders.push(inside);
  }
  return folders;
}
