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
export function nothingInAll(newest: readonly (Newest | Unread | null)[]): string {
  const there = newest.filter((one) => one !== null && one !== 'unread');
  if (newest.includes('unread')) return text.projects.zero.partRead(nothingInAll(there));
  const [only = null] = there;
  if (there.length <= 1) return nothingIn(only);
  const { noneOpen, zero } = text.projects;
  const doubtful = there.filter((one) => nothingIn(one) !== noneOpen);
  return doubtful.length === 0
    ? noneOpen
    : zero.doubtful(noneOpen, formatNumber(doubtful.length), formatNumber(there.length));
}

/** Whether a list of all that these have may lack something. */
export function isDoubtful(newest: readonly (Newest | Unread | null)[]): boolean {
  return nothingInAll(newest) !== text.projects.noneOpen;
}
