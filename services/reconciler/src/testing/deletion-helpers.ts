import {
  createAcceptance,
  deleteServiceData,
  deleteProjectData,
  listAcceptances,
  listActive,
  summariseActive,
  type AcceptanceView,
  type VulnerabilityView,
} from '@bomtrail/messages';
import { newDecision } from '../decisions/create-acceptance';
import { createAcceptanceStore } from '../decisions/store/acceptance-store';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { createDeletionStore } from '../deletion/store/deletion-store';
import { createServiceStateStore } from '../tracking/store/service-state-store';
import { createProjectStore } from '../tracking/store/project-store';
import { TestService } from './service';
import type { TestReconciler } from './start-reconciler';

/** Requests the deletion of a project; returns whether more is left. */
export async function deleteProject(harness: TestReconciler, project_id: string): Promise<boolean> {
  return (await harness.bus.request(deleteProjectData('reconciler'), { project_id })).body.more;
}

/** Requests the deletion of a service; returns whether more is left. */
export async function deleteServiceOf(
  harness: TestReconciler,
  { service_id, project_id }: TestService,
): Promise<boolean> {
  return (await harness.bus.request(deleteServiceData, { service_id, project_id })).body.more;
}

/** Stores without use cases: to hide without purging, and to write what was read before a delete. */
export function storesOf(harness: TestReconciler) {
  const { db } = harness;
  const database = { db, client: db.client, isUp: async () => true };
  return {
    deletions: createDeletionStore(database),
    acceptances: createAcceptanceStore(database),
    projects: createProjectStore(database),
    states: createServiceStateStore(database),
  };
}

/** A project-scope acceptance of a vulnerability, as the use case stores it. */
export function acceptanceOf(
  { project_id }: Pick<TestService, 'project_id'>,
  vulnerability_id: string,
): AcceptanceDocument {
  const content = { identity: ['GHSA-1'], services: null, reason: 'r' };
  const { slots: _none, ...acceptance } = newDecision({ project_id, ...content, vulnerability_id });
  return acceptance;
}

/** The active list of a project or of everything. Throws if the summary differs. */
export async function openOf(
  harness: TestReconciler,
  project_id: string | undefined,
): Promise<VulnerabilityView[]> {
  const { body } = await harness.bus.request(listActive, {
    page: 1,
    per_page: 200,
    sort: 'cvss_score',
    order: 'desc',
    project_id,
  });
  const { body: summary } = await harness.bus.request(summariseActive, { project_id });
  if (body.total !== body.items.length || summary.total !== body.total) {
    throw new Error(
      `${body.items.length} vulnerabilities of ${body.total}, ${summary.total} in the summary.`,
    );
  }
  return body.items;
}

/** Accepts the first vulnerability of a service. */
export async function accept(
  harness: TestReconciler,
  service: TestService,
  scope: { service: boolean },
): Promise<AcceptanceView> {
  const [vulnerability] = await service.documents();
  const { body } = await harness.bus.request(createAcceptance, {
    project_id: service.project_id,
    service_id: scope.service ? service.service_id : null,
    vulnerability_id: vulnerability?._id ?? '',
    reason: 'r',
    expires_at: null,
  });
  return body;
}

/** The ids of the acceptances of a project, newest first. */
export async function acceptancesOf(
  harness: TestReconciler,
  project_id: string,
): Promise<string[]> {
  const { body } = await harness.bus.request(listAcceptances, {
    project_id,
    page: 1,
    per_page: 200,
  });
  if (body.total !== body.items.length) throw new Error(`The total says ${body.total}.`);
  return body.items.map(({ id }) => id);
}

/** The number of stored documents of a project by collection, except those that keep deleted ids. */
export async function storedOf(
  harness: TestReconciler,
  project_id: string,
): Promise<Record<string, number>> {
  const { db } = harness;
  const count = async (name: string) => db.collection(name).countDocuments({ project_id });
  return {
    vulnerabilities: await count('tracked_vulnerabilities'),
    sbomVersions: await count('sbom_versions'),
    states: await count('service_states'),
    acceptances: await count('acceptances'),
    epochs: await db
      .collection<{ _id: string }>('acceptance_epochs')
      .countDocuments({ _id: project_id }),
  };
}

/** `storedOf` a deleted project. */
export const nothing = {
  vulnerabilities: 0,
  sbomVersions: 0,
  states: 0,
  acceptances: 0,
  epochs: 0,
};

/** Two services of one project and one of another, each with a vulnerability. */
export async function threeServices(harness: TestReconciler) {
  const one = new TestService(harness);
  const two = new TestService(harness, one.project_id);
  const other = new TestService(harness);
  const digest = harness.newSet('lodash@1.0.0 GHSA-1');
  const [scan] = await Promise.all([one, two, other].map((service) => service.scanned(digest)));
  if (!scan) throw new Error('It was scanned.');
  return { one, two, other, scan, project_id: one.project_id };
}
