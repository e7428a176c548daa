import * as messages from '@bomtrail/messages';
import { acceptance, acceptanceId, brief, instant, projectId, vulnerabilityId } from './fake-data';
import { expectThe, type Fake } from './fake';

const bulkDecision: messages.BulkDecisionView = {
  id: acceptanceId,
  project_id: projectId,
  status: 'done',
  decided: 1,
  not_found: 0,
  created_at: instant,
};

/** Plays decisions: one acceptance, and one decision about many vulnerabilities. */
export function fakeDecisions(play: Fake): void {
  play(messages.listAcceptances, () => ({
    items: [{ ...acceptance, cve_id: brief.cve_id, package_name: brief.package_name }],
    total: 1,
  }));
  play(messages.createAcceptance, (body) => {
    expectThe(body.vulnerability_id === vulnerabilityId, 'vulnerability_not_found');
    const { created_by = null, service_ids = null } = body;
    return { ...acceptance, ...body, created_by, service_ids };
  });
  play(messages.createGlobalAcceptance, (body) => {
    expectThe(body.vulnerability_id === vulnerabilityId, 'vulnerability_not_found');
    const { created_by = null } = body;
    return { ...acceptance, ...body, created_by };
  });
  const expectBulk = (named: { bulk_id: string; of_project: string | null }): void =>
    expectThe(
      named.bulk_id === bulkDecision.id && (named.of_project ?? projectId) === projectId,
      'acceptance_not_found',
    );
  play(messages.decideInBulk, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return bulkDecision;
  });
  play(messages.readBulkDecision, (named) => {
    expectBulk(named);
    return bulkDecision;
  });
  play(messages.deleteBulkDecision, (named) => {
    expectBulk(named);
    return { deleted: true };
  });
  play(
    messages.updateAcceptance,
    ({ acceptance_id, of_project, updated_by = null, ...changes }) => {
      const visible = (of_project ?? projectId) === projectId;
      expectThe(acceptance_id === acceptanceId && visible, 'acceptance_not_found');
      return { ...acceptance, ...changes, updated_by };
    },
  );
  play(messages.deleteAcceptance, ({ acceptance_id, of_project }) => {
    const visible = (of_project ?? projectId) === projectId;
    expectThe(acceptance_id === acceptanceId && visible, 'acceptance_not_found');
    return { deleted: true };
  });
}
