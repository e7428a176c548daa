import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { text } from '../../text/en';

/** The part of an SBOM that says what a 0 is worth; an earlier release of the server says less. */
export type Newest = Pick<
  Schemas['ProjectSBOMHistoryItem'],
  'scan_status' | 'retained' | 'coverage'
>;

/** Instead of the newest SBOM of a project itself: there are too many to find it among. */
export type Unread = 'unread';

/** What a 0 is called where the advisories are such. */
export function nothingBy(data: Schemas['AdvisoryData']): string {
  return data === 'feed' ? text.projects.noneOpen : text.projects.nothingOpen[data];
}

/** Stands instead of a 0: that there is nothing, in as far as the SBOM could be checked; null: there is none. */
export function nothingIn(sbom: Newest | null, nothing: string = text.projects.noneOpen): string {
  const { zero } = text.projects;
  if (!sbom) return text.projects.noSboms;
  const { scan_status = 'scanned', retained, coverage } = sbom;
  if (retained === false) return zero.dropped;
  if (scan_status !== 'scanned') return text.sbom[scan_status];
  if (coverage === undefined) return nothing;
  if (coverage === null) return zero.unknown(nothing);
  const { components, evaluated } = coverage;
  if (components === 0) return zero.empty;
  const missing = formatNumber(components - evaluated);
  if (evaluated === 0) return zero.unchecked(missing);
  return evaluated < components ? zero.part(nothing, missing, formatNumber(components)) : nothing;
}

/** The same of a whole project, by the newest SBOM of each of its services. */
export function nothingInAll(
  newest: readonly (Newest | Unread | null)[],
  nothing: string = text.projects.noneOpen,
): string {
  const { zero } = text.projects;
  const there = newest.filter((one) => one !== null && one !== 'unread');
  if (newest.includes('unread')) return zero.partRead(nothingInAll(there, nothing));
  const [only = null] = there;
  if (there.length <= 1) return nothingIn(only, nothing);
  const doubtful = there.filter((one) => nothingIn(one, nothing) !== nothing);
  return doubtful.length === 0
    ? nothing
    : zero.doubtful(nothing, formatNumber(doubtful.length), formatNumber(there.length));
}

/** Whether a list of all that these have may lack something. */
export function isDoubtful(newest: readonly (Newest | Unread | null)[]): boolean {
  return nothingInAll(newest) !== text.projects.noneOpen;
}
