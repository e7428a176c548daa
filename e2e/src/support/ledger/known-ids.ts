import type { ModelRow } from '@bomtrail/reference-model';

/** Remembers the ids of a project's rows, and says which were not allowed (decisions.md "Vulnerabilities"). */
export function createKnownIds() {
  const known = new Map<string, ModelRow>();

  const isSame = (a: ModelRow, b: ModelRow): boolean =>
    a.service === b.service &&
    a.package_name === b.package_name &&
    a.names.some((name) => b.names.includes(name));

  return {
    /**
     * @param resolve the row that an id leads to now
     * @returns what is wrong, in words
     */
    async problems(
      rows: ReadonlyMap<string, ModelRow>,
      resolve: (id: string) => Promise<string>,
    ): Promise<string[]> {
      const wrong: string[] = [];
      for (const [id, row] of rows) {
        const own: string[] = [];
        for (const [one, was] of known) {
          if (!isSame(was, row)) continue;
          // What came apart may have stayed with either part.
          if ([...rows.values()].filter((other) => isSame(was, other)).length > 1) continue;
          own.push(one);
          if (one !== id && (await resolve(one)) !== id)
            wrong.push(`${one} does not lead to ${id}`);
        }
        const [oldest] = own.sort();
        if (oldest !== undefined && id > oldest)
          wrong.push(`${id} of ${row.names.join()} is newer than ${oldest}`);
      }
      return wrong;
    },

    remember(rows: ReadonlyMap<string, ModelRow>): void {
      for (const [id, row] of rows) known.set(id, row);
    },

    forgetService(service: string): void {
      for (const [id, row] of known) if (row.service === service) known.delete(id);
    },

    /** An id that was shown once and is not among these. */
    vanished: (rows: ReadonlyMap<string, ModelRow>): string | undefined =>
      [...known].find(([id, was]) => {
        return !rows.has(id) && ![...rows.values()].some((row) => isSame(was, row));
      })?.[0],
  };
}
