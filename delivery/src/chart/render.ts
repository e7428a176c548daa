import { parseAllDocuments } from 'yaml';
import { kubernetesVersion } from '../tools/pins';
import { linesOf, run } from '../tools/run';
import { chartFile } from './files';
import type { KubeObject } from './objects';

/** Name and namespace under which the checks render. */
export const release = { name: 'checked', namespace: 'shipping' };

/** What `helm template` made of a value set. */
export interface Rendered {
  readonly text: string;
  readonly objects: KubeObject[];
}

const forKubernetes = ['--kube-version', kubernetesVersion];

/**
 * Renders the chart.
 *
 * @param chart its folder, or a package made of it
 * @throws Error with helm's words when it refuses the values
 */
export async function render(
  helm: string,
  valueFiles: readonly string[],
  chart = chartFile(),
): Promise<Rendered> {
  const where = ['template', release.name, chart, '--namespace', release.namespace];
  const values = valueFiles.flatMap((file) => ['--values', file]);
  const ended = await run(helm, [...where, ...forKubernetes, ...values]);
  if (ended.code !== 0) throw new Error(linesOf(ended.stderr)[0] ?? 'helm gave no reason');
  return { text: ended.stdout, objects: objectsIn(ended.stdout) };
}

/** The objects in a YAML text. Kubernetes reads YAML 1.1: `0440` is octal. */
export function objectsIn(text: string): KubeObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/** `helm lint --strict`, with the chart's own values or a set of them. Gives what it complains about. */
export async function lint(helm: string, valueFiles: readonly string[]): Promise<string[]> {
  const values = valueFiles.flatMap((file) => ['--values', file]);
  const ended = await run(helm, ['lint', '--strict', ...forKubernetes, chartFile(), ...values]);
  return ended.code === 0 ? [] : linesOf(ended.stdout + ended.stderr);
}
