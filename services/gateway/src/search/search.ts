import { parsePurl } from '@bomtrail/purl';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { ownedServices, ownershipFilter, type OwnedBy } from '../projects/owned-services';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import { ValidationError } from '../shared/http-error';
import { foundService, type FoundService } from './found-service';
import { withNames, type ListActiveDeps } from '../vulnerabilities/list-active';

export interface PackageSearch extends PageRequest, OwnedBy {
  purl?: string;
  name?: string;
  version?: string;
  project_id?: string;
  after?: messages.ListCursor | null;
}

type UsingPart = messages.PartOf<messages.ServiceUsing> &
  messages.Unscanned & { complete: boolean };
type ServiceUsing = FoundService<messages.ServiceUsing>;
type Affected = ReturnType<typeof withNames<AffectedView>>[number];
type AffectedView = messages.VulnerabilityView & { former_id: boolean };
type AdvisoryState = { advisory_data: messages.AdvisoryData };

/** Services that use a package. @throws ValidationError; AppError `service_unavailable` */
export async function searchPackages(
  deps: ListActiveDeps,
  caller: Caller,
  requested: PackageSearch,
): Promise<
  messages.PartOf<ServiceUsing> & { complete: boolean } & {
    unscanned: messages.Unscanned;
  } & AdvisoryState
> {
  const { page, per_page, after } = requested;
  const query = packageQuery(requested);
  const scope = narrowed(caller, requested.project_id);
  const none: UsingPart = {
    items: [],
    total: 0,
    complete: true,
    ...noneUnscanned,
  };
  const [found, advisory_data] = await Promise.all([
    scope === 'nothing'
      ? none
      : deps
          .request(messages.findServicesUsing, {
            query,
            page,
            per_page,
            ...(after === undefined ? {} : { after }),
            ...ownershipFilter(requested),
            ...(scope.projectId === undefined ? {} : { project_id: scope.projectId }),
          })
          .then(({ body }) => body),
    deps.advisoryData(),
  ]);
  const { items, total, complete, next = null, ...unscanned } = found;
  return { items: items.map(foundService), total, next, complete, unscanned, advisory_data };
}

function packageQuery(requested: PackageSearch): messages.PackageQuery {
  const { purl = null, name = null, version = null } = requested;
  const ofPurl = purl === null ? null : (parsePurl(purl)?.version ?? null);
  if (version !== null && ofPurl !== null && version !== ofPurl) {
    const error = `the purl is of version ${ofPurl}`;
    const problem = { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
    throw new ValidationError([{ loc: ['query', 'version'], input: version, ...problem }]);
  }
  return { purl, name, version };
}

const noneUnscanned: messages.Unscanned = { pending_sboms: 0, failed_sboms: 0 };

/** Known ids of a vulnerability, and the affected services. */
export interface VulnerabilitySearch extends messages.PartOf<Affected>, AdvisoryState {
  known: boolean;
  ids: string[];
  withdrawn: boolean;
  unscanned: messages.Unscanned;
}

/**
 * Services affected by a vulnerability, by any of its ids.
 *
 * @throws AppError `advisory_not_found` if neither an advisory nor a service visible to the caller
 * has the id,
 * which does not mean that nothing is affected; `service_unavailable`
 */
export async function searchVulnerability(
  deps: ListActiveDeps,
  caller: Caller,
  requested: PageRequest &
    OwnedBy & {
      advisory_id: string;
      project_id?: string;
      after?: messages.ListCursor | null;
    },
): Promise<VulnerabilitySearch> {
  const { page, per_page, after } = requested;
  const part = after === undefined ? { page, per_page } : { page, per_page, after };
  const id = requested.advisory_id.trim();
  const scope = narrowed(caller, requested.project_id);
  const ofProject =
    scope === 'nothing' || scope.projectId === undefined ? {} : { project_id: scope.projectId };
  // Counts first: an SBOM scanned meanwhile counts as not scanned.
  const unscanned =
    scope === 'nothing'
      ? noneUnscanned
      : (await deps.request(messages.countUnscanned, ofProject)).body;
  const service_ids =
    scope === 'nothing' ? [] : await ownedServices(deps, requested, scope.projectId);
  const none: messages.PartOf<AffectedView> = { items: [], total: 0 };
  const asked = { id, ...part, ...ofProject, ...(service_ids && { service_ids }) };
  const named = deps.nameServices();
  const [advisory, found] = await Promise.all([
    deps.request(messages.findAdvisory, { id }),
    service_ids?.length === 0
      ? none
      : deps.request(messages.findAffected, asked).then(({ body }) => body),
  ]);
  const { known, ids, withdrawn, advisory_data } = advisory.body;
  if (!known && found.total === 0) throw new AppError('advisory_not_found');
  const items = withNames(found.items, await named(found.items));
  const { total, next = null } = found;
  return { items, total, next, known, ids, withdrawn, unscanned, advisory_data };
}
