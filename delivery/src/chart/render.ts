import { parseAllDocuments } from 'yaml';
import { kubernetesVersion } from '../tools/pins';
import { linesOf, run } from '../tools/run';
import { chartFile } from './files';
import type { KubeObject } from './objects';

/** Release name and namespace of the checks. */
export const release = { name: 'checked', namespace: 'shipping' };

/** Output of `helm template` for a value set. */
export interface Rendered {
  readonly text: string;
  readonly objects: KubeObject[];
}

const forKubernetes = ['--kube-version', kubernetesVersion];

/**
 * Renders the chart.
 *
 * @param chart its folder or package
 * @throws Error with helm's message if it rejects the values
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

/** Parses the objects of a YAML text. Kubernetes reads YAML 1.1: `0440` is octal. */
export function objectsIn(text: string): KubeObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/** Runs `helm lint --strict` with the default values or a value set. Returns the errors. */
export async function lint(helm: string, valueFiles: readonly string[]): Promise<string[]> {
  const values = valueFiles.flatMap((file) => ['--values', file]);
  const ended = await run(helm, ['lint', '--strict', ...forKubernetes, chartFile(), ...values]);
  return ended.code === 0 ? [] : linesOf(ended.stdout + ended.stderr);
}
