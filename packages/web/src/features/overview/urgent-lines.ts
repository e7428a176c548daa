interface Row {
  cve_id: string;
}

/** The first row of each vulnerability, in the order of the rows, at most so many. */
export function firstOfEach<T extends Row>(rows: readonly T[], most: number): T[] {
  const first = new Map<string, T>();
  for (const row of rows) if (!first.has(row.cve_id)) first.set(row.cve_id, row);
  return [...first.values()].slice(0, most);
}
