import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import {
  brokenProjectId,
  judgedLicenses,
  checkedVulnerability,
  dependencies,
  otherProjectId,
  project,
  projectId,
  quality,
  sbom,
  serviceId,
} from './fake-data';
import { oneFailing } from './one-failing';
import { expectThe, type Fake } from './fake';

/**
 * Plays what checks a document that is not stored: one finding, which fails any gate.
 *
 * @param checks collects the unpacked documents
 * @param judged collects those that came again to be judged with VEX documents
 */
export function fakeCheck(play: Fake, checks: Buffer[], judged: Buffer[]): void {
  play(
    messages.parseDocument,
    ({ project_id, project_slug }, attachment) => {
      checks.push(gunzipSync(attachment ?? ''));
      const named = project_id ?? project_slug;
      expectThe(
        named === null ||
          [projectId, otherProjectId, brokenProjectId, project.slug, 'other'].includes(named),
        'project_not_found',
      );
      const { format, spec_version, dependency_count } = sbom;
      return { format, spec_version, dependency_count, root_name: null, roots: [], quality };
    },
    () => gzipSync(JSON.stringify(dependencies)),
  );
  play(messages.findCheckScope, ({ project_id, project_slug, service_name, baseline }) => {
    const isOther = project_id === otherProjectId || project_slug === 'other';
    const isBroken = project_id === brokenProjectId;
    expectThe(
      isOther || isBroken || project_id === projectId || project_slug === project.slug,
      'project_not_found',
    );
    expectThe(['last-passed', 'none'].includes(baseline), 'baseline_not_found');
    const service_id = service_name === 'Checkout' ? serviceId : null;
    const of = isOther ? otherProjectId : isBroken ? brokenProjectId : projectId;
    return { project_id: of, service_name, service_id, baseline: null };
  });
  play(messages.judgeLicenses, () => judgedLicenses);
  const checked = gzipSync(JSON.stringify([checkedVulnerability]));
  const judgement = () => ({
    coverage: { components: 2, evaluated: 2, undetermined: {} },
    advisory_data: 'feed',
    revision: 1,
    found: oneFailing,
    total: 1,
    failing_bytes: checked.length,
  });
  const records = () => Buffer.concat([checked, checked]);
  play(messages.judgeComponents, judgement, records);
  // The other project has VEX documents.
  play(messages.hasVex, ({ project_id }) => {
    expectThe(project_id !== brokenProjectId, 'service_unavailable');
    return { has_vex: project_id === otherProjectId };
  });
  play(
    messages.judgeDocument,
    ({ component_bytes }, attachment) => {
      judged.push(gunzipSync((attachment ?? Buffer.alloc(0)).subarray(component_bytes)));
      return judgement();
    },
    records,
  );
}
