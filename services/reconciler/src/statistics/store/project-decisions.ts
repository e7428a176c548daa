import type { Db } from 'mongodb';
import { decidingSpans, spansOf } from '../../decisions/domain/decided-spans';
import { timedDecision } from '../../decisions/store/decision-mapping';
import { isAboutPackage } from '../../tracking/domain/decisions';
import { isSelected } from '../../tracking/domain/selection';
import { allNames, isNamedBy } from '../../tracking/domain/vulnerability-names';
import { factsOf, type DetailsFacts } from '../../tracking/store/details-document';
import {
  allProjects,
  type AcceptanceDocument,
  type DetailsDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { snapshotOf } from '../../tracking/store/vulnerability-mapping';
import type { Span } from '../domain/stretches';
import type { DecidedVulnerability, StatisticsFacts } from '../ports';
import { addTo } from '../../tracking/domain/grouped';

const detailsAtOnce = 5_000;
/** Most details that a query names. */
const maxDetails = 10_000;

export function createProjectDecisions(db: Db): StatisticsFacts['decisions'] {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  /** The decisions about the vulnerabilities of details, with their names. */
  async function byDetails(
    all: readonly AcceptanceDocument[],
  ): Promise<Map<string, { names: string[]; about: AcceptanceDocument[] }>> {
    const ofAlias = new Map<string, AcceptanceDocument[]>();
    for (const one of all) for (const name of one.identity) addTo(ofAlias, name, one);
    const naming = await details
      .find({ alias_keys: { $in: [...ofAlias.keys()] } })
      .project<Pick<DetailsDocument, '_id' | 'aliases' | 'upstream'>>({ aliases: 1, upstream: 1 })
      .toArray();
    return new Map(
      naming.map(({ _id, ...snapshot }) => {
        const names = allNames({ snapshot });
        const about = [...new Set(names.flatMap((name) => ofAlias.get(name) ?? []))];
        return [_id, { names, about: about.filter((one) => isNamedBy(one, { snapshot })) }];
      }),
    );
  }

  /** The facts of all details of a project. */
  async function factsIn(projectId: string): Promise<Map<string, DetailsFacts>> {
    const facts = new Map<string, DetailsFacts>();
    let ids: string[] = [];
    const readSome = async (): Promise<void> => {
      const found = await details.find({ _id: { $in: ids } }).toArray();
      for (const one of found) facts.set(one._id, factsOf(one));
      ids = [];
    };
    const used = vulnerabilities.aggregate<{ _id: string }>([
      { $match: { project_id: projectId, details_id: { $exists: true } } },
      { $group: { _id: '$details_id' } },
    ]);
    for await (const { _id } of used) if (ids.push(_id) === detailsAtOnce) await readSome();
    await readSome();
    return facts;
  }

  /** The standing rules that select a vulnerability. */
  async function selecting(
    projectId: string,
    rules: readonly AcceptanceDocument[],
  ): Promise<(row: DecidedVulnerability) => AcceptanceDocument[]> {
    if (rules.length === 0) return () => [];
    const facts = await factsIn(projectId);
    return (row) => {
      const named = { ...row, identity: [], origin: '' };
      const snapshot = snapshotOf(named, (id) => facts.get(id));
      return rules.filter(({ rule }) => rule && isSelected({ snapshot }, rule.filter));
    };
  }

  return async (projectId) => {
    const scope = { project_id: { $in: [projectId, allProjects] } };
    const all = await acceptances.find({ ...scope, pending: { $ne: 'revert' } }).toArray();
    const decisions = await byDetails(all);
    const rules = all.filter(({ rule }) => rule);
    const rulesOn = await selecting(projectId, rules);
    const isAny = rules.length > 0 || decisions.size > maxDetails;
    const now = new Date().toISOString();
    const acceptedTimes = (row: DecidedVulnerability): Span[] => {
      const { service_id, package_key, details_id = '', found } = row;
      const package_versions = found?.package_versions ?? (found ? [found.package_version] : []);
      const { names = [], about = [] } = decisions.get(details_id) ?? {};
      const spans = [...about, ...rulesOn(row)]
        .filter(({ services }) => services?.includes(service_id) ?? true)
        .filter(({ packages, identity }) =>
          isAboutPackage(packages, { package_key, package_versions }, { identity, names }),
        )
        .flatMap((one) => spansOf(timedDecision(one), now));
      return decidingSpans(spans)
        .filter(({ decision }) => decision !== 'in_triage')
        .map(({ from, to }) => ({
          from: Date.parse(from),
          to: to === null ? null : Date.parse(to),
        }));
    };
    return { details: isAny ? null : [...decisions.keys()], acceptedTimes };
  };
}
