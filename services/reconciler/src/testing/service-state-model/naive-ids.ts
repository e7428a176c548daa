/** What people know a row by: what it showed when they saw it last. */
interface Known {
  package_key: string;
  /** What it showed last. */
  names: readonly string[];
  /** All that it, and what was merged into it, ever showed and that no other id has shown since. */
  ever: readonly string[];
  /** The advisory that it was found by first. */
  original: string;
  /** Was it among the rows at the last look? */
  isOpen: boolean;
}

/** A row that is listed, as far as its id is judged. */
export interface OpenVulnerability {
  id: string;
  package_key: string;
  names: readonly string[];
  first_advisory: string;
}

export type NaiveIds = ReturnType<typeof createNaiveIds>;

/**
 * Remembers the ids of a service's rows and says what docs/rules.md VU1 and
 * docs/rules.md VU1 do not allow. Ids sort by their age.
 */
export function createNaiveIds() {
  const known = new Map<string, Known>();

  /** The rows that are the same vulnerability as what the id showed last; of several, one is its own. */
  function ownOf(
    one: Known,
    vulnerabilities: readonly OpenVulnerability[],
  ): OpenVulnerability | undefined {
    const those = (names: readonly string[]): OpenVulnerability[] =>
      vulnerabilities.filter(
        (vulnerability) =>
          vulnerability.package_key === one.package_key && meet(vulnerability.names, names),
      );
    // Nobody looks at what is not listed: it stands for all that it ever was.
    const asSnapshot = one.isOpen ? those(one.names) : [];
    const same = asSnapshot.length > 0 ? asSnapshot : those(one.ever);
    const withOriginal = same.find((vulnerability) => vulnerability.names.includes(one.original));
    return withOriginal ?? [...same].sort((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1))[0];
  }

  return {
    /**
     * @param rows the rows of the service that are listed now, one for each vulnerability
     * @param resolve the id of the row that an id stands for now
     * @returns what is wrong, in words
     */
    problems(
      vulnerabilities: readonly OpenVulnerability[],
      resolve: (id: string) => string | undefined,
    ): string[] {
      const owners = new Map<OpenVulnerability, string[]>();
      const wrong: string[] = [];
      for (const [id, one] of known) {
        const own = ownOf(one, vulnerabilities);
        if (!own) continue;
        owners.set(own, [...(owners.get(own) ?? []), id]);
        if (resolve(id) !== own.id)
          wrong.push(`${id} was ${one.names.join()} and does not resolve to ${own.id}`);
      }
      for (const vulnerability of vulnerabilities) {
        const claims = owners.get(vulnerability) ?? [];
        const [oldest] = [...claims].sort();
        const before = known.get(vulnerability.id);
        if (oldest === vulnerability.id || (!oldest && !before)) continue;
        // An id that once had one of the names, and has nothing else to stand for, may take them up.
        const isFree =
          before !== undefined &&
          !ownOf(before, vulnerabilities) &&
          vulnerability.id < (oldest ?? '~');
        if (isFree && meet(before.ever, vulnerability.names)) continue;
        wrong.push(
          `${vulnerability.id} has ${vulnerability.names.join()}; expected ${oldest ?? 'a new id'}`,
        );
      }
      return wrong;
    },

    /** People have seen these rows. */
    remember(
      vulnerabilities: readonly OpenVulnerability[],
      resolve: (id: string) => string | undefined,
    ): void {
      for (const one of known.values()) one.isOpen = false;
      for (const { id, package_key, names, first_advisory } of vulnerabilities) {
        const before = known.get(id);
        let ever = [...(before?.ever ?? []), ...names];
        for (const [other, one] of known) {
          if (other === id || one.package_key !== package_key) continue;
          if (resolve(other) !== id) {
            one.ever = one.ever.filter((name) => !names.includes(name));
          } else {
            // What was merged keeps what it showed last; all else it leaves to the row that it leads to.
            ever = [...ever, ...one.ever];
            one.ever = one.ever.filter((name) => one.names.includes(name));
          }
        }
        ever = [...new Set(ever)];
        const original = before?.original ?? first_advisory;
        known.set(id, { package_key, names, ever, original, isOpen: true });
      }
    },
  };
}

const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one));

const firstOf = ({ names }: OpenVulnerability): string => [...names].sort()[0] ?? '';
