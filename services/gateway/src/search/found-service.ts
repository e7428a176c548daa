import type { ServiceNames } from '@bomtrail/messages';
import { publicService, type PublicService } from '../shared/public-service';

/** A service in search results: its names, and who is responsible for it. */
export type FoundService<Found extends ServiceNames> = Omit<
  Found,
  'service_levels' | 'ships_products' | keyof Responsible
> &
  Responsible;

type Responsible = PublicService & { owner: string | null; labels: string[] };

/** Without what the catalog says of its project beside names. */
export function foundService<Found extends ServiceNames>(found: Found): FoundService<Found> {
  const { owner = null, labels = [], service_id, service_name } = found;
  const { service_levels: _levels, ships_products: _ships, ...service } = found;
  const responsible = { ...publicService({ service_id, service_name }), owner, labels };
  // TypeScript does not compare `Omit`s of a type parameter.
  return { ...service, ...responsible } as FoundService<Found>;
}
