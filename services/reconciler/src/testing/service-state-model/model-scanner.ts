import type { Observation } from '../../tracking/domain/types';
import { documents, type ModelComponent } from './documents';

/** The current state of an advisory. */
export interface ModelAdvisory {
  id: string;
  aliases: string[];
  /** Affected versions by package. */
  affects: Record<string, number[]>;
  score: number | null;
  withdrawn: boolean;
}

/** A change of one advisory. */
export type AdvisoryChange = { advisory: number } & Partial<Omit<ModelAdvisory, 'id'>>;

/** The scanner's last evaluation of a document. */
export interface Evaluation {
  observations: readonly Observation[];
  /** Its advisory revision. */
  revision: number;
  /** By package; increases when the observations of the package change. */
  editions: Record<string, number>;
}

export const packageKeys = ['npm|p', 'npm|q'];

/** Ids that advisories use as aliases; the last one has no advisory. */
export const advisoryIds = ['CVE-1', 'GHSA-a', 'GHSA-b', 'OSV-1', 'PYSEC-1', 'CVE-2'];

const firstAdvisories: readonly ModelAdvisory[] = [
  { id: 'CVE-1', aliases: [], affects: {}, score: null, withdrawn: false },
  {
    id: 'GHSA-a',
    aliases: ['cve-1'],
    affects: { p: [1, 9, 10], q: [1] },
    score: 7.5,
    withdrawn: false,
  },
  { id: 'GHSA-b', aliases: [], affects: { p: [9, 10] }, score: 9.8, withdrawn: false },
  { id: 'OSV-1', aliases: [], affects: { p: [1], q: [1, 9, 10] }, score: 5, withdrawn: false },
  { id: 'PYSEC-1', aliases: ['GHSA-A'], affects: { p: [10] }, score: null, withdrawn: false },
];

export type ModelScanner = ReturnType<typeof createModelScanner>;

/** A minimal scanner: advisories change, and documents are evaluated on request. */
export function createModelScanner() {
  const advisories = firstAdvisories.map((advisory) => ({ ...advisory }));
  const evaluations = documents.map((document): Evaluation => ({
    observations: evaluate(document, advisories),
    revision: 1,
    editions: Object.fromEntries(packageKeys.map((key) => [key, 0])),
  }));
  let revision = 1;

  return {
    change({ advisory, ...change }: AdvisoryChange): void {
      Object.assign(advisories[advisory] as ModelAdvisory, change);
      revision += 1;
    },
    revision: () => revision,
    /** The last evaluation of a document, by number. */
    read(document: number): Evaluation {
      return evaluations[document] as Evaluation;
    },
    /** Evaluates a document; returns the packages whose observations changed. */
    evaluate(document: number): string[] {
      const before = evaluations[document] as Evaluation;
      const observations = evaluate(documents[document] ?? [], advisories);
      const changed = differing(before.observations, observations);
      if (changed.length === 0) {
        before.revision = revision;
        return [];
      }
      const editions = { ...before.editions };
      for (const key of changed) editions[key] = (editions[key] ?? 0) + 1;
      evaluations[document] = { observations, revision, editions };
      return changed;
    },
  };
}

function evaluate(
  document: readonly ModelComponent[],
  advisories: readonly ModelAdvisory[],
): Observation[] {
  const groups = aliasGroups(advisories.filter(({ withdrawn }) => !withdrawn));
  return document.flatMap((component) => groups.flatMap((group) => observe(component, group)));
}

function differing(some: readonly Observation[], others: readonly Observation[]): string[] {
  return packageKeys.filter((key) => ofPackage(some, key) !== ofPackage(others, key));
}

function ofPackage(observations: readonly Observation[], key: string): string {
  return JSON.stringify(observations.filter(({ package_key }) => package_key === key));
}

/** Groups advisories that share an id, ignoring case. */
function aliasGroups(advisories: readonly ModelAdvisory[]): ModelAdvisory[][] {
  const groups: ModelAdvisory[][] = [];
  for (const advisory of advisories) {
    const touches = (other: ModelAdvisory): boolean =>
      namesOf(advisory).some((name) => namesOf(other).includes(name));
    const linked = groups.filter((group) => group.some(touches));
    for (const group of linked) groups.splice(groups.indexOf(group), 1);
    groups.push([...linked.flat(), advisory]);
  }
  return groups;
}

const namesOf = ({ id, aliases }: ModelAdvisory): string[] =>
  [id, ...aliases].map((name) => name.toUpperCase());

function observe(component: ModelComponent, group: readonly ModelAdvisory[]): Observation[] {
  const { name, qualifier, is_direct } = component;
  const matching = group.filter(({ affects }) => affects[name]?.includes(component.version));
  if (matching.length === 0) return [];
  const aliases = spelling(group);
  const score = matching.find((one) => one.score !== null)?.score ?? null;
  const advisory_ids = matching.map(({ id }) => id).sort();
  const package_version = `${component.version}.0.0`;
  return [
    {
      package_key: `npm|${name}`,
      package_name: name,
      package_version,
      is_direct,
      purl: `pkg:npm/${name}@${package_version}${qualifier}`,
      ecosystem: 'npm',
      fixed_versions: [`${component.version + 20}.0.0`],
      aliases,
      advisory_ids,
      details: `${aliases.join()} ${advisory_ids.join()} ${score}`,
      cve_id: aliases[0] ?? '',
      cvss_score: score,
      published_at: null,
      severity:
        score === null ? 'unknown' : score >= 9 ? 'critical' : score >= 7 ? 'high' : 'medium',
    },
  ];
}

/** The names of a group as its advisories spell them. */
function spelling(group: readonly ModelAdvisory[]): string[] {
  const names = new Map<string, string>();
  for (const { id, aliases } of group)
    for (const name of [...aliases, id]) names.set(name.toUpperCase(), name);
  return [...names.values()].sort();
}
