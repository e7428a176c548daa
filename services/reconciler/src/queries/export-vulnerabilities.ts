import { maxExported, type ExportCursor, type ExportedView } from '@bomtrail/messages';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import type { ExportStore } from './store/export-store';
import type { StateFilter } from './store/list-filter';
import {
  readingRisk,
  vulnerabilityViews,
  type VulnerabilityViewsDeps,
} from './vulnerability-views';

export interface ExportVulnerabilitiesDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  exports: ExportStore;
}

/** A part of the vulnerabilities that a filter selects, by service, without long texts. */
export async function exportVulnerabilities(
  deps: ExportVulnerabilitiesDeps,
  { after, ...filter }: StateFilter & { after: ExportCursor | null },
): Promise<{ items: ExportedView[]; next: ExportCursor | null }> {
  await lapseExpired(deps, filter.project_id);
  const { found, next } = await deps.exports.part(filter, { after, limit: maxExported });
  const views = await vulnerabilityViews(readingRisk(deps, filter), found);
  const items = views.map(({ view }): ExportedView => {
    const { description: _description, references: _references, ...shown } = view;
    return shown;
  });
  return { items, next };
}
