import {
  pageWindow,
  type listAcceptances as definition,
  type ListedAcceptance,
  type PartOf,
  type RequestOf,
} from '@bomtrail/messages';
import type { AcceptanceDocument } from '../tracking/store/documents';
import type { AcceptanceStore } from './ports';
import type { AcceptedStore } from './store/accepted-store';
import { acceptanceView } from './acceptance-view';

export interface ListAcceptancesDeps {
  acceptances: Pick<AcceptanceStore, 'list'>;
  accepted: AcceptedStore;
}

/** One page of acceptances, newest first, each with the vulnerability that it accepts. */
export async function listAcceptances(
  { acceptances, accepted }: ListAcceptancesDeps,
  query: RequestOf<typeof definition>,
): Promise<PartOf<ListedAcceptance>> {
  const part = { ...pageWindow(query), after: query.after };
  const { items, total } = await acceptances.list(query, part);
  const known = await accepted.byIds(items.map(({ vulnerability_id }) => vulnerability_id));
  const last = items.length === part.limit ? items.at(-1) : undefined;
  return {
    items: items.map((acceptance) => {
      const { cve_id, package_name } = known.get(acceptance.vulnerability_id) ?? named(acceptance);
      return { ...acceptanceView(acceptance), cve_id, package_name };
    }),
    total,
    next: last ? { at: last.created_at.toISOString(), id: last._id } : null,
  };
}

/** A vulnerability that no SBOM contains any more, by the ids that were accepted: a CVE before others. */
function named({ identity }: AcceptanceDocument): { cve_id: string; package_name: null } {
  const cve = identity.find((id) => id.startsWith('CVE-'));
  return { cve_id: cve ?? identity[0] ?? '', package_name: null };
}
