import Table from 'cli-table3';

/** What came of one experiment. */
export interface StorageOutcome {
  name: string;
  figures: Record<string, string | number>;
  /** What must not be. */
  problems: string[];
}

export function renderOutcomes(outcomes: readonly StorageOutcome[]): string {
  const tables = outcomes.map(({ name, figures }) => {
    const table = new Table({
      ...{ style: { head: [], border: [] }, wordWrap: true, colWidths: [36, 62] },
      head: [name, ''],
    });
    table.push(...Object.entries(figures));
    return table.toString();
  });
  return tables.join('\n');
}
