import { sendForJson, type Target } from './http';
import type { AdvisoryFeeds, LicenseSearch, PackageSearch, VulnerabilitySearch } from './types';

/** Searches over all services, and the state of the feeds. */
export function searchCalls(target: Target) {
  return {
    /** Services that use a package. */
    searchPackages: (query: {
      purl?: string;
      name?: string;
      version?: string;
      project_id?: string;
      page?: number;
      per_page?: number;
    }): Promise<PackageSearch> =>
      sendForJson(target, { path: '/api/v1/search/packages', query }, 'items'),

    /** Services that contain components with a licence id or of a group. */
    searchLicenses: (query: {
      license?: string;
      group?: string;
      project_id?: string;
      page?: number;
      per_page?: number;
    }): Promise<LicenseSearch> =>
      sendForJson(target, { path: '/api/v1/search/licenses', query }, 'items'),

    /** Services affected by a vulnerability, by any of its ids. */
    searchVulnerability: (
      id: string,
      query: { project_id?: string; page?: number; per_page?: number } = {},
    ): Promise<VulnerabilitySearch> =>
      sendForJson(
        target,
        {
          path: `/api/v1/search/vulnerabilities/${encodeURIComponent(id)}`,
          query,
        },
        'items',
      ),

    advisoryFeeds: (): Promise<AdvisoryFeeds> =>
      sendForJson(target, { path: '/api/v1/advisories/feeds' }, 'feeds'),
  };
}
