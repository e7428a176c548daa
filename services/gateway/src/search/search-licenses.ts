import {
  findServicesLicensed,
  type LicenseQuery,
  type PageOf,
  type ServiceLicensed,
} from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import { ValidationError } from '../shared/http-error';
import type { PageRequest } from '../shared/page-envelope';
import { ownershipFilter, type OwnedBy } from '../projects/owned-services';
import { foundService, type FoundService } from './found-service';
import type { ListActiveDeps } from '../vulnerabilities/list-active';

export interface LicenseSearch extends PageRequest, OwnedBy {
  license?: string;
  group?: NonNullable<LicenseQuery['group']>;
  project_id?: string;
}

type Licensed = FoundService<ServiceLicensed>;

/**
 * Services with components of a licence id or group (docs/rules.md LI5).
 *
 * @throws ValidationError if `license` is no licence id; AppError `service_unavailable`
 */
export async function searchLicenses(
  { request }: Pick<ListActiveDeps, 'request'>,
  caller: Caller,
  { page, per_page, project_id, ...by }: LicenseSearch,
): Promise<PageOf<Licensed> & { complete: boolean }> {
  const { license = null, group = null } = by;
  const scope = narrowed(caller, project_id);
  if (scope === 'nothing') return { items: [], total: 0, complete: true };
  const { body, attachment } = await request(findServicesLicensed, {
    query: { license, group },
    page,
    per_page,
    ...ownershipFilter(by),
    ...(scope.projectId === undefined ? {} : { project_id: scope.projectId }),
  });
  if (!body.known) throw unknownLicense(license ?? '', body.similar);
  if (!attachment) throw new Error('The catalog sent no services.');
  const services = (await unpackJson(attachment)) as ServiceLicensed[];
  const items = services.map(foundService);
  return { items, total: body.total, complete: body.complete };
}

function unknownLicense(input: string, similar: readonly string[]): ValidationError {
  const hint =
    similar.length > 0
      ? `similar ids: ${similar.join(', ')}`
      : 'give one id such as AGPL-3.0-only or LicenseRef-name, or search for a group';
  const error = `this is not an id of the SPDX licence list; ${hint}`;
  const problem = { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
  return new ValidationError([{ loc: ['query', 'license'], input, ...problem }]);
}
