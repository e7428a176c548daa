import type { ModelVulnerability } from '@bomtrail/reference-model';

/** Remembers the ids of a project's rows, and says which were not allowed (docs/rules.md VU1). */
export function createKnownIds() {
  const known = new Map<string, ModelVulnerability>();

  const isSame = (a: ModelVulnerability, b: ModelVulnerability): boolean =>
    a.service === b.service &&
    a.package_name === b.package_name &&
    a.names.some((name) => b.names.includes(name));

  return {
    /**
     * @param resolve the row that an id leads to now
     * @returns what is wrong, in words
     */
    async problems(
      vulnerabilities: ReadonlyMap<string, ModelVulnerability>,
      resolve: (id: string) => Promise<string>,
    ): Promise<string[]> {
      const wrong: string[] = [];
      for (const [id, vulnerability] of vulnerabilities) {
        const own: string[] = [];
        for (const [one, was] of known) {
          if (!isSame(was, vulnerability)) continue;
          // What came apart may have stayed with either part.
          if ([...vulnerabilities.values()].filter((other) => isSame(was, other)).length > 1)
            continue;
          own.push(one);
          if (one !== id && (await resolve(one)) !== id)
            wrong.push(`${one} does not lead to ${id}`);
        }
        const [oldest] = own.sort();
        if (oldest !== undefined && id > oldest)
          wrong.push(`${id} of ${vulnerability.names.join()} is newer than ${oldest}`);
      }
      return wrong;
    },

    remember(vulnerabilities: ReadonlyMap<string, ModelVulnerability>): void {
      for (const [id, vulnerability] of vulnerabilities) known.set(id, vulnerability);
    },

    deleteServiceOf(service: string): void {
      for (const [id, vulnerability] of known)
        if (vulnerability.service === service) known.delete(id);
    },

    /** An id that was shown once and is not among these. */
    vanished: (vulnerabilities: ReadonlyMap<string, ModelVulnerability>): string | undefined =>
      [...known].find(([id, was]) => {
        return (
          !vulnerabilities.has(id) &&
          ![...vulnerabilities.values()].some((vulnerability) => isSame(was, vulnerability))
        );
      })?.[0],
  };
}
