import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { chartFile, copies, readValues } from './files';
import { asMarkdown, valuesTable, withTable } from './values-table';

/** Returns the chart's README with the current table of values. */
export function readmeWithValues(): string {
  const source = readFileSync(chartFile('values.yaml'), 'utf8');
  const table = asMarkdown(valuesTable(source, readValues()));
  return withTable(readFileSync(chartFile('README.md'), 'utf8'), table);
}

/** Generates files of the chart: table of values, alert rules, dashboard. */
export function generate(): void {
  writeFileSync(chartFile('README.md'), readmeWithValues());
  for (const { source, copy } of copies)
    copyFileSync(path.join(repositoryRoot(), source), chartFile(copy));
}
