import type { NoUpgradeReason, PackageUpgrade } from '@bomtrail/messages';
import type {
  ComponentInUse,
  JudgedCandidate,
  NamedAdvisory,
  OpenVulnerability,
  Verdict,
} from './package-in-use';
import { isMajorStep } from './version-steps';
import { addTo } from '../../tracking/domain/grouped';

/** The versions chosen for a component; null: none. */
export interface Choice {
  /** Why there is no upgrade; null if there is one. */
  reason: NoUpgradeReason | null;
  first: JudgedCandidate | null;
  /** A further step that closes more. */
  further: JudgedCandidate | null;
  isMajor: boolean;
  refused: PackageUpgrade['refused'];
}

/** A candidate with the open vulnerabilities that it closes; `rejection`: why it is not proposed. */
interface Weighed {
  candidate: JudgedCandidate;
  isMajor: boolean;
  closes: ReadonlySet<number>;
  rejection: { reason: 'opens_vulnerabilities' | 'undetermined'; advisory_ids: string[] } | null;
}

/** Finds the open vulnerabilities that advisories name; positions in the list. */
export type Naming = (advisories: readonly NamedAdvisory[]) => ReadonlySet<number>;

/** @param vulnerabilities of one package */
export function namingOf(vulnerabilities: readonly OpenVulnerability[]): Naming {
  const byAlias = new Map<string, number[]>();
  for (const [position, { aliases }] of vulnerabilities.entries())
    for (const alias of aliases) addTo(byAlias, alias, position);
  return (advisories) =>
    new Set(advisories.flatMap(({ id }) => byAlias.get(id.toUpperCase()) ?? []));
}

/**
 * Chooses the upgrade of one component.
 *
 * - RM2: a candidate closes a vulnerability if the matching of scans says that it is not affected.
 * - RM3: a candidate that would open a vulnerability, or for which an advisory cannot be decided that can be
 *   for the version in use, is not proposed; it is named with these advisories.
 * - RM4: of the candidates in the same release line the lowest that closes all that any of them closes, else
 *   the one that removes most risk; without one that closes anything, of all candidates likewise.
 * - RM5: a further step is the lowest higher candidate that closes the same and most of the rest.
 *
 * @param open positions of the vulnerabilities that are open in the component
 */
export function chooseUpgrade(
  component: ComponentInUse & { ecosystem: string },
  of: {
    vulnerabilities: readonly OpenVulnerability[];
    naming: Naming;
    open: ReadonlySet<number>;
  },
): Choice {
  const none = { first: null, further: null, isMajor: false };
  const { judged } = component;
  if (!judged) return { ...none, reason: 'not_judged', refused: prereleasesOf(component) };
  const weighed = judged.candidates.map((candidate) => weigh(component, candidate, of));
  const proposed = weighed.filter(({ rejection }) => rejection === null);
  const inLine = best(
    proposed.filter(({ isMajor }) => !isMajor),
    of.vulnerabilities,
  );
  const first = inLine ?? best(proposed, of.vulnerabilities);
  if (!first)
    return {
      ...none,
      reason: reasonOf(component, weighed, of),
      refused: refusedOf(component, weighed),
    };
  const further = best(
    proposed
      .slice(proposed.indexOf(first) + 1)
      .filter(({ closes }) => [...first.closes].every((one) => closes.has(one))),
    of.vulnerabilities,
  );
  const lower = weighed.slice(0, weighed.indexOf(first));
  return {
    reason: null,
    first: first.candidate,
    further: further && further.closes.size > first.closes.size ? further.candidate : null,
    isMajor: first.isMajor,
    refused: refusedOf({ prereleases: [] }, lower),
  };
}

function weigh(
  { ecosystem, version, judged }: ComponentInUse & { ecosystem: string },
  candidate: JudgedCandidate,
  { naming, open }: { naming: Naming; open: ReadonlySet<number> },
): Weighed {
  const { verdict } = candidate;
  const current: Verdict = judged?.current ?? { affected: [], undecided: [] };
  const still = naming(verdict.affected);
  const groups = (list: readonly NamedAdvisory[]) => new Set(list.map(({ group }) => group));
  const beyond = (list: readonly NamedAdvisory[], known: ReadonlySet<string>): string[] =>
    list.filter(({ group }) => !known.has(group)).map(({ id }) => id);
  const opens = beyond(verdict.affected, groups(current.affected));
  const doubts = beyond(verdict.undecided, groups(current.undecided));
  const rejection =
    opens.length > 0
      ? { reason: 'opens_vulnerabilities' as const, advisory_ids: opens.sort() }
      : doubts.length > 0
        ? { reason: 'undetermined' as const, advisory_ids: doubts.sort() }
        : null;
  return {
    candidate,
    isMajor: isMajorStep(ecosystem, version, candidate.version),
    closes: new Set([...open].filter((one) => !still.has(one))),
    rejection,
  };
}

/** The lowest that closes what all close together, else the one that removes most risk; null: none closes. */
function best(
  candidates: readonly Weighed[],
  vulnerabilities: readonly OpenVulnerability[],
): Weighed | null {
  const union = new Set(candidates.flatMap(({ closes }) => [...closes]));
  if (union.size === 0) return null;
  const whole = candidates.find(({ closes }) => closes.size === union.size);
  if (whole) return whole;
  const riskOf = ({ closes }: Weighed): number =>
    [...closes].reduce((sum, one) => sum + (vulnerabilities[one]?.risk ?? 0), 0);
  return candidates.reduce((chosen, one) => {
    const more = riskOf(one) - riskOf(chosen) || one.closes.size - chosen.closes.size;
    return more > 0 ? one : chosen;
  });
}

/**
 * RM6: without an upgrade the reason is, in this order: every candidate that closes something is refused, only
 * prereleases fix it, the package is malicious, no fixed version is known.
 */
function reasonOf(
  { prereleases }: ComponentInUse,
  weighed: readonly Weighed[],
  of: { vulnerabilities: readonly OpenVulnerability[]; open: ReadonlySet<number> },
): NoUpgradeReason {
  const refused = weighed.find(({ closes, rejection }) => closes.size > 0 && rejection);
  if (refused?.rejection) return refused.rejection.reason;
  if (prereleases.length > 0) return 'prerelease_only';
  const isMalicious = [...of.open].some((one) =>
    of.vulnerabilities[one]?.aliases.some((alias) => alias.startsWith('MAL-')),
  );
  return isMalicious ? 'malicious' : 'no_fixed_version';
}

/** As `maxRefusedVersions`. */
const maxRefused = 5;
const maxNamed = 20;

function refusedOf(
  component: Pick<ComponentInUse, 'prereleases'>,
  weighed: readonly Weighed[],
): PackageUpgrade['refused'] {
  const refused = weighed.flatMap(({ candidate, closes, rejection }) =>
    rejection && closes.size > 0
      ? [
          {
            version: candidate.version,
            reason: rejection.reason,
            advisory_ids: rejection.advisory_ids.slice(0, maxNamed),
          },
        ]
      : [],
  );
  return [...refused, ...prereleasesOf(component)].slice(0, maxRefused);
}

function prereleasesOf({
  prereleases,
}: Pick<ComponentInUse, 'prereleases'>): PackageUpgrade['refused'] {
  return prereleases
    .slice(0, maxRefused)
    .map((version) => ({ version, reason: 'prerelease' as const, advisory_ids: [] }));
}
