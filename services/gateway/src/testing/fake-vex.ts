import * as messages from '@bomtrail/messages';
import { instant, projectId } from './fake-data';
import { expectThe, type Fake } from './fake';

export const vexId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e60';
/** A document for all projects. */
export const globalVexId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e61';

const vexRecord: messages.VexDocumentView = {
  id: vexId,
  project_id: projectId,
  document_id: 'https://example.com/vex',
  format: 'openvex',
  spec_version: '0.2.0',
  version: '1',
  author: 'Example',
  sha256: 'f'.repeat(64),
  feed: null,
  issued_at: instant,
  last_updated: instant,
  statements: 1,
  created_by: null,
  created_at: instant,
  updated_at: instant,
};

const vexDetail: messages.VexDocumentDetail = {
  ...vexRecord,
  applied: 0,
  not_applied: { product_not_found: 1 },
  pending_services: 0,
  conflicts: [],
  results: [
    {
      index: 0,
      vulnerability: ['CVE-2021-23337'],
      products: ['pkg:npm/shop'],
      status: 'fixed',
      justification: null,
      decision: 'not_affected',
      services: 0,
      reason: 'product_not_found',
    },
  ],
};

/** Plays the VEX documents of the one project. */
export function fakeVex(play: Fake): void {
  play(messages.setEmbeddedVex, ({ project_id, mode }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return { mode };
  });
  play(messages.listVex, () => ({ items: [vexRecord], total: 1 }));
  play(messages.importVex, ({ project_id }) => {
    expectThe(project_id === null || project_id === projectId, 'project_not_found');
    return { ...vexDetail, project_id };
  });
  play(messages.readVexDocument, ({ vex_id, of_project }) => {
    if (vex_id === globalVexId) return { ...vexDetail, id: globalVexId, project_id: null };
    expectThe(vex_id === vexId && messages.isInScope(of_project, projectId), 'vex_not_found');
    return vexDetail;
  });
  play(messages.deleteVex, ({ vex_id, of_project }) => {
    if (vex_id === globalVexId && of_project === null) return { deleted: true };
    expectThe(vex_id === vexId && messages.isInScope(of_project, projectId), 'vex_not_found');
    return { deleted: true };
  });
}
