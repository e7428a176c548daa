import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { table } from '../output/table';
import { jsonText } from '../output/clean-text';

/** Prints the components that the second SBOM adds, removes and changes. */
export async function diff(
  { api, print }: Context,
  { from, to, json }: { from: string; to: string; json: boolean },
): Promise<Outcome> {
  const found = await api.diff(from, to);
  const { added, removed, changed } = found;
  if (json) print(jsonText(found));
  else if (added.length + removed.length + changed.length > 0) {
    const rows = [
      ...added.map(({ name, version }) => ['added', name, '', version]),
      ...removed.map(({ name, version }) => ['removed', name, version, '']),
      ...changed.map(({ name, from_version, to_version }) => [
        'changed',
        name,
        from_version,
        to_version,
      ]),
    ];
    print(`${table(['', 'Package', 'From', 'To'], rows)}\n`);
  }
  return {
    exitCode: EXIT.pass,
    line: `DIFF ${from} to ${to}: ${added.length} added, ${removed.length} removed, ${changed.length} changed`,
  };
}
