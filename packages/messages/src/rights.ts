import * as catalog from './areas/catalog';
import { deleteServiceData, deleteProjectData, deleteScans } from './areas/forget';
import { pingOf } from './areas/health';
import * as ingest from './areas/ingest';
import * as notifier from './areas/notifier';
import * as reconciler from './areas/reconciler';
import * as scans from './areas/scan-messages';
import * as scanner from './areas/scanner';
import * as search from './areas/search';
import { listFinished, sbomsFinished } from './areas/finished';
import type { ServiceName, StreamName } from './define';

/** Of a question what its rights depend on. */
export interface Question {
  readonly subject: string;
  readonly service: ServiceName;
}

interface Message {
  readonly name: string;
  readonly stream: StreamName;
}

interface Consumer {
  readonly durable: string;
  readonly filterSubject: string;
  readonly message: { readonly stream: StreamName };
}

interface Notice {
  readonly subject: string;
}

/** What a service does on the bus beside answering its questions; NATS lets it do nothing else. */
export interface Rights {
  readonly asks: readonly Question[];
  readonly publishes: readonly Message[];
  /** Queues that it takes messages from. */
  readonly consumes: readonly Consumer[];
  /** Queues whose length it looks at. */
  readonly watches: readonly Consumer[];
  readonly tells: readonly Notice[];
  readonly onBroadcast: readonly Notice[];
}

export const serviceNames = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
] as const satisfies readonly ServiceName[];

/** Whoever deletes a project asks these. */
const ownersOfProjectData = ['reconciler', 'notifier', 'gateway'] as const;

const none: Rights = {
  asks: [],
  publishes: [],
  consumes: [],
  watches: [],
  tells: [],
  onBroadcast: [],
};

/** The rights of each service. A test holds them to what its sources use. */
export const rights: Readonly<Record<ServiceName, Rights>> = {
  gateway: {
    ...none,
    asks: [
      ...serviceNames.filter((service) => service !== 'gateway').map(pingOf),
      ...[ingest.acceptUpload, ingest.readDocument, ingest.readComponents, ingest.diffComponents],
      ...[catalog.createProject, catalog.updateProject, catalog.deleteProject, catalog.getProject],
      ...[
        catalog.listProjects,
        catalog.listProjectHistory,
        catalog.nameServices,
        catalog.nameSboms,
      ],
      ...[catalog.listServices, catalog.deleteService, catalog.getSbom, catalog.deleteSbom],
      ...[catalog.findServicesUsing, catalog.countUnscanned, listFinished],
      ...[catalog.findBaseline, catalog.recordGateOutcome],
      ...[scanner.readCoverage, scanner.listUndetermined, scanner.readFeeds, scanner.findAdvisory],
      ...[reconciler.listActive, reconciler.findAffected, reconciler.listVulnerabilities],
      ...[reconciler.readVulnerability, reconciler.summariseActive],
      ...[reconciler.listSbomVulnerabilities, reconciler.createAcceptance],
      reconciler.countFindings,
      ...[reconciler.listAcceptances, reconciler.deleteAcceptance],
      ...[notifier.createAlertRule, notifier.updateAlertRule, notifier.deleteAlertRule],
      ...[notifier.listAlertRules, notifier.previewAlertRule, notifier.testAlertRule],
      notifier.listDeliveries,
    ],
    onBroadcast: [sbomsFinished],
  },
  ingest: {
    ...none,
    asks: [
      ...[catalog.getProject, catalog.registerSbom, catalog.findReferences],
      scanner.releaseSets,
    ],
  },
  catalog: {
    ...none,
    asks: [
      ...ownersOfProjectData.map(deleteProjectData),
      ...[deleteServiceData, deleteScans, reconciler.removeSbom, reconciler.removeSboms],
      ...[ingest.markContent, scanner.findPackageSets],
    ],
    publishes: [scans.scanRequested, scans.rescanRequested],
    consumes: [scans.catalogRescans, scans.catalogReconciled, scans.catalogScanFailures],
    watches: [
      ...[scans.scannerUploads, scans.scannerRescans],
      ...[scans.reconcilerUploads, scans.reconcilerRescans, scans.reconcilerPackageRescans],
    ],
    tells: [sbomsFinished],
  },
  scanner: {
    ...none,
    asks: [catalog.requestRescans, ingest.readComponents, ingest.findUsedSets],
    publishes: [scans.scanRequested, scans.scanCompleted, scans.scanFailed],
    consumes: [scans.scannerUploads, scans.scannerRescans],
  },
  reconciler: {
    ...none,
    asks: [
      ...[catalog.getProject, catalog.nameServices, catalog.checkScope],
      ...[catalog.listAllServices, catalog.listServiceSboms],
      ...[scanner.readFindings, scanner.readFindingsOfSets],
      ...[scanner.readFindingsPage, scanner.listFindingPackages],
      ...[scanner.readCoverage, scanner.readDataStatus],
    ],
    publishes: [
      ...[scans.sbomReconciled, scans.rescanCompleted, scans.scanFailed],
      ...[scans.vulnerabilityChanged, scans.scanRequested],
    ],
    consumes: [scans.reconcilerUploads, scans.reconcilerRescans, scans.reconcilerPackageRescans],
  },
  notifier: {
    ...none,
    asks: [
      ...[catalog.getProject, catalog.nameServices, catalog.checkScope],
      ...[reconciler.listServiceStates, reconciler.listAlertPeriods],
    ],
    consumes: [scans.notifierChanges],
  },
};

/** Where the answers to a service's questions arrive; no other service may listen there. */
export function inboxOf(service: ServiceName | 'operator'): string {
  return `_INBOX_${service}`;
}

/** Every question of the bus. */
export const questions: readonly Question[] = [
  ...[catalog, ingest, notifier, reconciler, scanner, search].flatMap(questionsOf),
  ...[deleteServiceData, deleteScans, listFinished],
  ...ownersOfProjectData.map(deleteProjectData),
  ...serviceNames.map(pingOf),
];

function questionsOf(area: object): Question[] {
  const isQuestion = (value: unknown): value is Question =>
    typeof value === 'object' && value !== null && 'subject' in value && 'service' in value;
  return Object.values(area).filter(isQuestion);
}
