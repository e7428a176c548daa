import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { parse } from 'yaml';

/** The chart, relative to the repository's root. */
export const chartPath = path.join('deploy', 'helm', 'bomtrail');

/** Path of a file of the chart. */
export function chartFile(...parts: string[]): string {
  return path.join(repositoryRoot(), chartPath, ...parts);
}

/** Files copied into the chart, as a packaged chart cannot refer to files outside. */
export const copies: readonly { source: string; copy: string }[] = [
  { source: 'deploy/observability/alert-rules.yaml', copy: 'files/alert-rules.yaml' },
  { source: 'deploy/observability/dashboard.json', copy: 'files/dashboard.json' },
];

/** A parsed YAML or JSON value. */
export type Values = Record<string, unknown>;

/** values.yaml, parsed. */
export function readValues(): Values {
  return parse(readFileSync(chartFile('values.yaml'), 'utf8')) as Values;
}

/** The value sets in `ci/`, by name, with their paths. */
export function valueSets(): { name: string; file: string; values: Values }[] {
  const ending = '-values.yaml';
  const files = readdirSync(chartFile('ci')).filter((file) => file.endsWith(ending));
  return files.sort().map((name) => {
    const file = chartFile('ci', name);
    const values = parse(readFileSync(file, 'utf8')) as Values;
    return { name: name.slice(0, -ending.length), file, values };
  });
}
