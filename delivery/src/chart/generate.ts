import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { chartFile, copies, readValues } from './files';
import { asMarkdown, valuesTable, withTable } from './values-table';

/** The chart's README as it should be: with the table of the values that there are. */
export function readmeWithValues(): string {
  const source = readFileSync(chartFile('values.yaml'), 'utf8');
  const table = asMarkdown(valuesTable(source, readValues()));
  return withTable(readFileSync(chartFile('README.md'), 'utf8'), table);
}

/** Writes what the chart has of other files: the table of values, alert rules, the dashboard. */
export function generate(): void {
  writeFileSync(chartFile('README.md'), readmeWithValues());
  for (const { source, copy } of copies)
    copyFileSync(path.join(repositoryRoot(), source), chartFile(copy));
}
