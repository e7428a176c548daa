/** What people know about a vulnerability since they last saw it. */
interface Known {
  package_key: string;
  /** The names in its last snapshot. */
  names: readonly string[];
  /** All names that it or vulnerabilities merged into it ever had, and that no other id has had since. */
  ever: readonly string[];
  /** The advisory by which it was first found. */
  original: string;
  /** Whether it was listed at the last check. */
  isOpen: boolean;
}

/** A listed vulnerability, as far as its id is concerned. */
export interface OpenVulnerability {
  id: string;
  package_key: string;
  names: readonly string[];
  first_advisory: string;
}

export type NaiveIds = ReturnType<typeof createNaiveIds>;

/**
 * Tracks the ids of a service's vulnerabilities and reports violations of docs/rules.md VU1. Ids sort by age.
 */
export function createNaiveIds() {
  const known = new Map<string, Known>();

  /** The listed vulnerability that corresponds to a known id. */
  function ownOf(
    one: Known,
    vulnerabilities: readonly OpenVulnerability[],
  ): OpenVulnerability | undefined {
    const those = (names: readonly string[]): OpenVulnerability[] =>
      vulnerabilities.filter(
        (vulnerability) =>
          vulnerability.package_key === one.package_key && meet(vulnerability.names, names),
      );
    // A vulnerability that is not listed represents all names it ever had.
    const asSnapshot = one.isOpen ? those(one.names) : [];
    const same = asSnapshot.length > 0 ? asSnapshot : those(one.ever);
    const withOriginal = same.find((vulnerability) => vulnerability.names.includes(one.original));
    return withOriginal ?? [...same].sort((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1))[0];
  }

  return {
    /**
     * @param vulnerabilities the listed vulnerabilities of the service
     * @param resolve maps an id to the current one
     * @returns the problems, in words
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
        // An unused id may take up a name that it once had.
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

    /** Records that these vulnerabilities were listed. */
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
            // A merged vulnerability keeps its last names and leaves all others to its target.
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
