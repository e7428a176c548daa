import type { Db } from 'mongodb';
import { decidingSpans, spansOf } from '../../decisions/domain/decided-spans';
import { timedDecision } from '../../decisions/store/decision-mapping';
import { isAboutPackage } from '../../tracking/domain/decisions';
import {
  allProjects,
  type AcceptanceDocument,
  type DetailsDocument,
} from '../../tracking/store/documents';
import type { StatisticsFacts } from '../ports';

export function createDecidedTimes(db: Db): StatisticsFacts['acceptedTimes'] {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');

  /** The decisions about the alias groups of details. */
  async function byDetails(
    all: readonly AcceptanceDocument[],
  ): Promise<Map<string, AcceptanceDocument[]>> {
    const ofAlias = new Map<string, AcceptanceDocument[]>();
    for (const one of all)
      for (const name of one.identity) {
        const same = ofAlias.get(name);
        if (same) same.push(one);
        else ofAlias.set(name, [one]);
      }
    const naming = await details
      .find({ alias_keys: { $in: [...ofAlias.keys()] } })
      .project<Pick<DetailsDocument, '_id' | 'alias_keys'>>({ alias_keys: 1 })
      .toArray();
    return new Map(
      naming.map(({ _id, alias_keys }) => [
        _id,
        [...new Set(alias_keys.flatMap((name) => ofAlias.get(name) ?? []))],
      ]),
    );
  }

  return async (projectId) => {
    const scope = { project_id: { $in: [projectId, allProjects] } };
    const all = await acceptances.find({ ...scope, pending: { $ne: 'revert' } }).toArray();
    const decisions = await byDetails(all);
    const now = new Date().toISOString();
    return ({ service_id, package_key, details_id = '', found }) => {
      const package_versions = found?.package_versions ?? (found ? [found.package_version] : []);
      const spans = (decisions.get(details_id) ?? [])
        .filter(({ services }) => services?.includes(service_id) ?? true)
        .filter(({ packages }) => isAboutPackage(packages, { package_key, package_versions }))
        .flatMap((one) => spansOf(timedDecision(one), now));
      return decidingSpans(spans)
        .filter(({ decision }) => decision !== 'in_triage')
        .map(({ from, to }) => ({
          from: Date.parse(from),
          to: to === null ? null : Date.parse(to),
        }));
    };
  };
}
