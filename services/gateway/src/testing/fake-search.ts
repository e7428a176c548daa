import * as messages from '@bomtrail/messages';
import type { Fake } from './fake';
import {
  brief,
  feed,
  projectId,
  riskFeed,
  serviceLicensed,
  serviceUsing,
  trackedVulnerability,
  undetermined,
} from './fake-data';

/** One package and one advisory, in the one project. */
export function fakeSearch(play: Fake): void {
  play(
    messages.listUndetermined,
    () => ({
      total: 1,
      coverage: { components: 2, evaluated: 1, undetermined: { no_purl: 1 } },
      advisory_data: 'feed',
    }),
    () => Buffer.from(JSON.stringify([undetermined])),
  );
  play(messages.readFeeds, () => ({
    advisory_data: 'feed',
    revision: 7,
    applied: true,
    feeds: [feed],
    risk_feeds: [riskFeed],
    vex_sources: [],
  }));
  play(messages.findServicesUsing, ({ project_id }) => ({
    items: messages.isInScope(project_id, projectId) ? [serviceUsing] : [],
    total: messages.isInScope(project_id, projectId) ? 1 : 0,
    complete: true,
    pending_sboms: 2,
    failed_sboms: 1,
  }));
  let licensed: messages.ServiceLicensed[] = [];
  play(
    messages.findServicesLicensed,
    ({ query, project_id = projectId }) => {
      licensed = project_id === projectId ? [serviceLicensed] : [];
      const known = query.license !== 'AGPL';
      const similar = known ? [] : ['AGPL-3.0-only'];
      return { total: licensed.length, complete: true, known, similar };
    },
    () => Buffer.from(JSON.stringify(licensed)),
  );
  play(messages.countUnscanned, () => ({ pending_sboms: 2, failed_sboms: 1 }));
  play(messages.findAdvisory, ({ id }) => {
    const known = id.toUpperCase() === brief.cve_id;
    return { known, ids: known ? [brief.cve_id] : [], withdrawn: false, advisory_data: 'feed' };
  });
  play(messages.findAffected, ({ id, project_id }) => {
    const affected =
      messages.isInScope(project_id, projectId) && /^(cve-2021-44228|old-1)$/i.test(id);
    return {
      items: affected
        ? [{ ...trackedVulnerability, status: 'accepted', former_id: id === 'OLD-1' }]
        : [],
      total: affected ? 1 : 0,
    };
  });
}
