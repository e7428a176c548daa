import { AppError, type FindingsReport, type SetsFindings } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { readFindingsOfSets } from '../queries/read-findings-of-sets';
import type { ReadSetDeps } from '../queries/set-at';

/** Findings of one component set, and the revision that they are valid for. */
export type SetFindings = FindingsReport & { revision: number };

/** Reads the findings of one component set; fails as `ofSingleSet` does. */
export async function readFindings(deps: ReadSetDeps, digest: string): Promise<SetFindings> {
  const { answered, report } = await readFindingsOfSets(deps, {
    digests: [digest],
    packages: null,
  });
  return ofSingleSet(answered, report);
}

/**
 * Unpacks the response to a request for one component set.
 *
 * @throws AppError `sbom_not_found` if the set was not evaluated, `service_unavailable` if it has
 *   too many findings
 */
export async function ofSingleSet(answered: number, report: Uint8Array): Promise<SetFindings> {
  if (answered === 0) throw new AppError('service_unavailable');
  const { sets, findings, vulnerabilities } = (await unpackJson(report)) as SetsFindings;
  const [set] = sets;
  if (!set) throw new AppError('sbom_not_found');
  return { revision: set.revision, findings, vulnerabilities };
}
