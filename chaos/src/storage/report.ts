import { plainTable } from '../report';

/** What came of one experiment. */
export interface StorageOutcome {
  name: string;
  figures: Record<string, string | number>;
  /** What must not be. */
  problems: string[];
}

export function renderOutcomes(outcomes: readonly StorageOutcome[]): string {
  const tables = outcomes.map(({ name, figures }) => {
    const table = plainTable([name, ''], [36, 62]);
    table.push(...Object.entries(figures));
    return table.toString();
  });
  return tables.join('\n');
}
