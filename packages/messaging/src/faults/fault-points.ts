import * as messages from '@bomtrail/messages';
import type { ServiceName } from '@bomtrail/messages';

/**
 * A step at a transport of a process. `publishing`, `requesting`, `responding`: before the message is sent;
 * `published`, `requested`: after it was received; `handled`: a message is handled, not yet acknowledged.
 */
export type FaultStep =
  | 'publishing'
  | 'published'
  | 'requesting'
  | 'requested'
  | 'responding'
  | 'handled';

/** A point at which tests crash a process (`BOMTRAIL_TEST_CRASH_AT`) or pause work (`BOMTRAIL_TEST_HOLD_AT`). */
export interface FaultPoint {
  /** `<step>:<message, request or consumer>`. */
  readonly name: string;
  readonly service: ServiceName;
  /** What is done and what is not if the process crashes here. */
  readonly between: string;
}

/** A request, consumer or message. */
type Named =
  | { readonly subject: string }
  | { readonly durable: string }
  | { readonly name: string };

/** All fault points: between a write and its message, and between handling and acknowledging. */
export const faultPoints: readonly FaultPoint[] = [
  ...of('ingest', [
    ['requesting', messages.registerSbom, 'a document is stored, its SBOM is not registered'],
    ['requested', messages.registerSbom, 'an SBOM is registered, its upload has no response'],
    ['responding', messages.acceptUpload, 'the same, with the response created'],
    ['responding', messages.markContent, 'content is marked, its records still exist'],
    ['requested', messages.findReferences, 'marked content is unreferenced, but still stored'],
    ['requested', messages.releaseSets, 'the scanner released a component set, it is still stored'],
  ]),
  ...of('catalog', [
    ['responding', messages.registerSbom, 'an SBOM is registered, ingest has no response'],
    ['publishing', messages.scanRequested, 'an SBOM is registered, its scan is not requested'],
    ['published', messages.scanRequested, 'the scan is requested'],
    ['handled', messages.catalogReconciled, 'an SBOM is marked as scanned'],
    ['responding', messages.requestRescans, 'rescans are pending, the scanner has no response'],
    ['publishing', messages.rescanRequested, 'rescans are pending, no message was sent'],
    ['handled', messages.catalogRescans, 'rescans are no longer pending'],
    [
      'requesting',
      messages.removeSbom,
      'an SBOM has its tombstone, its vulnerabilities are still listed',
    ],
    [
      'requested',
      messages.removeSbom,
      'the vulnerabilities of an SBOM are removed, its record exists',
    ],
    ['responding', messages.deleteSbom, 'an SBOM is deleted, no response was sent'],
    ['responding', messages.deleteService, 'a service is hidden, no response was sent'],
    ['responding', messages.deleteProject, 'a project is hidden, no response was sent'],
    ['requested', messages.markContent, 'in a purge: content is marked, its records exist'],
    [
      'requested',
      messages.deleteScans,
      'in a purge: the scanner has deleted its data, others have not',
    ],
  ]),
  ...of('scanner', [
    ['publishing', messages.scanCompleted, 'a component set is evaluated, no message was sent'],
    ['handled', messages.scannerUploads, 'a scan is done and published'],
    [
      'requesting',
      messages.requestRescans,
      'an advisory change is evaluated, no rescans were requested',
    ],
    [
      'requested',
      messages.requestRescans,
      'rescans are pending, the change counts as not published',
    ],
    ['requested', messages.findUsedSets, 'a component set is unused, but still stored'],
  ]),
  ...of('reconciler', [
    [
      'publishing',
      messages.sbomReconciled,
      'the tracked vulnerabilities of an upload are written, no message was sent',
    ],
    [
      'handled',
      messages.reconcilerUploads,
      'the tracked vulnerabilities are written and published',
    ],
    [
      'publishing',
      messages.vulnerabilityChanged,
      'tracked vulnerabilities have changed, no message was sent',
    ],
    ['publishing', messages.rescanCompleted, 'an advisory change is applied, no message was sent'],
    ['handled', messages.reconcilerPackageRescans, 'the same, published'],
    [
      'responding',
      messages.removeSbom,
      'the vulnerabilities of an SBOM are removed, the catalog has no response',
    ],
    [
      'responding',
      messages.deleteProjectData('reconciler'),
      'in a purge: some tracked vulnerabilities are deleted',
    ],
    ['responding', messages.createAcceptance, 'an acceptance is stored, no response was sent'],
    ['responding', messages.deleteAcceptance, 'an acceptance is revoked, no response was sent'],
  ]),
  ...of('gateway', [
    ['requesting', messages.acceptUpload, 'an upload is read, not passed on'],
    ['requested', messages.acceptUpload, 'an upload is accepted, no response was sent'],
  ]),
  ...of('notifier', [['handled', messages.notifierChanges, 'a change is recorded']]),
];

/** Name of a fault point. */
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
