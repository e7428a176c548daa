import * as messages from '@bomtrail/messages';
import type { ServiceName } from '@bomtrail/messages';

/**
 * A step at a door of a process: what was done so far is stored, and the next one does not know of it yet.
 * `publishing`, `asking`, `answering`: before that goes out; `published`, `asked`: after the other side
 * has it; `handled`: a message is done and not acknowledged.
 */
export type FaultStep = 'publishing' | 'published' | 'asking' | 'asked' | 'answering' | 'handled';

/** A place at which tests make a process crash (`BOMTRAIL_TEST_CRASH_AT`), or hold what passes (`BOMTRAIL_TEST_HOLD_AT`). */
export interface FaultPoint {
  /** `<step>:<message, question or consumer>`. */
  readonly name: string;
  readonly service: ServiceName;
  /** What is stored when it crashes here, and what nobody knows yet. */
  readonly between: string;
}

/** A question, a consumer or a message. */
type Named =
  { readonly subject: string } | { readonly durable: string } | { readonly name: string };

/** Every place that matters: between a write and the telling of it, and between doing and acknowledging. */
export const faultPoints: readonly FaultPoint[] = [
  ...of('ingest', [
    ['asking', messages.registerSbom, 'a document is kept, no record says so'],
    ['asked', messages.registerSbom, 'an SBOM is registered, its upload is not answered'],
    ['answering', messages.acceptUpload, 'the same, with the answer made'],
    ['answering', messages.markContent, 'content is condemned, its records are still there'],
    ['asked', messages.findReferences, 'nothing refers to condemned content, it is still there'],
    ['asked', messages.releaseSets, 'the scanner knows that a set goes, it is still there'],
  ]),
  ...of('catalog', [
    ['answering', messages.registerSbom, 'an SBOM is registered, ingest does not know'],
    ['publishing', messages.scanRequested, 'an SBOM is registered, its scan is not asked for'],
    ['published', messages.scanRequested, 'the scan is asked for'],
    ['handled', messages.catalogReconciled, 'an SBOM is marked as scanned'],
    ['answering', messages.requestRescans, 're-scans are owed, the scanner does not know'],
    ['publishing', messages.rescanRequested, 're-scans are owed, nobody was told'],
    ['handled', messages.catalogRescans, 're-scans are no longer owed'],
    ['asking', messages.removeSbom, 'an SBOM has its tombstone, the lists show it'],
    ['asked', messages.removeSbom, 'an SBOM is out of the lists, its record is there'],
    ['answering', messages.deleteSbom, 'an SBOM is gone, nobody was told'],
    ['answering', messages.deleteService, 'a service is hidden, nobody was told'],
    ['answering', messages.deleteProject, 'a project is hidden, nobody was told'],
    ['asked', messages.markContent, 'in a purge: content is condemned, its records are there'],
    ['asked', messages.deleteScans, 'in a purge: the scanner has forgotten, others have not'],
  ]),
  ...of('scanner', [
    ['publishing', messages.scanCompleted, 'a set is evaluated, nobody was told'],
    ['handled', messages.scannerUploads, 'a scan is done and told'],
    ['asking', messages.requestRescans, 'an advisory change is settled, nobody was told'],
    ['asked', messages.requestRescans, 're-scans are owed, the change counts as not announced'],
    ['asked', messages.findUsedSets, 'nobody holds a set, it is still there'],
  ]),
  ...of('reconciler', [
    ['publishing', messages.sbomReconciled, 'the rows of an upload are written, nobody was told'],
    ['handled', messages.reconcilerUploads, 'the rows are written and told'],
    ['publishing', messages.vulnerabilityChanged, 'rows have changed, nobody was told'],
    ['publishing', messages.rescanCompleted, 'rows follow an advisory change, nobody was told'],
    ['handled', messages.reconcilerPackageRescans, 'the same, told'],
    ['answering', messages.removeSbom, 'an SBOM is out of the lists, the catalog does not know'],
    ['answering', messages.deleteProjectData('reconciler'), 'in a purge: some rows are gone'],
    ['answering', messages.createAcceptance, 'an acceptance is given, nobody was told'],
    ['answering', messages.deleteAcceptance, 'an acceptance is taken back, nobody was told'],
  ]),
  ...of('gateway', [
    ['asking', messages.acceptUpload, 'an upload is read, nobody has it'],
    ['asked', messages.acceptUpload, 'an upload is accepted, it is not answered'],
  ]),
  ...of('notifier', [['handled', messages.notifierChanges, 'a change is noted']]),
];

/** How a step of a message, question or consumer is called. */
export function faultPointName(step: FaultStep, of: string): string {
  return `${step}:${of}`;
}

function of(
  service: ServiceName,
  points: readonly (readonly [FaultStep, Named, string])[],
): FaultPoint[] {
  return points.map(([step, what, between]) => ({
    name: faultPointName(step, nameOf(what)),
    service,
    between,
  }));
}

function nameOf(what: Named): string {
  if ('subject' in what) return what.subject;
  return 'durable' in what ? what.durable : what.name;
}
