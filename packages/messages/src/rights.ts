import * as catalog from './areas/catalog';
import { deleteServiceData, deleteProjectData, deleteScans } from './areas/deletion';
import { pingOf } from './areas/health';
import * as ingest from './areas/ingest';
import * as notifier from './areas/notifier';
import * as reconciler from './areas/reconciler';
import * as scans from './areas/scan-messages';
import * as scanner from './areas/scanner';
import * as search from './areas/search';
import { listFinished, sbomsFinished } from './areas/finished';
import type { ServiceName, StreamName } from './define';

/** The part of a request definition that permissions depend on. */
export interface RequestDefinition {
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

interface Broadcast {
  readonly subject: string;
}

/** What a service may do on the bus besides handling its requests; NATS permits nothing else. */
export interface Rights {
  readonly requests: readonly RequestDefinition[];
  readonly publishes: readonly Message[];
  /** Consumers that it runs. */
  readonly consumes: readonly Consumer[];
  /** Consumers whose length it reads. */
  readonly watches: readonly Consumer[];
  readonly broadcasts: readonly Broadcast[];
  readonly listensTo: readonly Broadcast[];
}

export const serviceNames = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
] as const satisfies readonly ServiceName[];

/** The owners that a project deletion calls. */
const ownersOfProjectData = ['reconciler', 'notifier', 'gateway'] as const;

const none: Rights = {
  requests: [],
  publishes: [],
  consumes: [],
  watches: [],
  broadcasts: [],
  listensTo: [],
};

/** The rights of each service. A test compares them with the sources. */
export const rights: Readonly<Record<ServiceName, Rights>> = {
  gateway: {
    ...none,
    requests: [
      ...serviceNames.filter((service) => service !== 'gateway').map(pingOf),
      ingest.acceptUpload,
      ingest.readDocument,
      ingest.readComponents,
      ingest.diffComponents,
      catalog.createProject,
      catalog.updateProject,
      catalog.deleteProject,
      catalog.getProject,
      catalog.listProjects,
      catalog.listProjectHistory,
      catalog.nameServices,
      catalog.nameSboms,
      catalog.listServices,
      catalog.deleteService,
      catalog.getSbom,
      catalog.deleteSbom,
      catalog.findServicesUsing,
      catalog.countUnscanned,
      listFinished,
      catalog.findBaseline,
      catalog.recordGateOutcome,
      scanner.readCoverage,
      scanner.listUndetermined,
      scanner.readFeeds,
      scanner.findAdvisory,
      reconciler.listActive,
      reconciler.findAffected,
      reconciler.listVulnerabilities,
      reconciler.readVulnerability,
      reconciler.summariseActive,
      reconciler.listSbomVulnerabilities,
      reconciler.createAcceptance,
      reconciler.countFindings,
      reconciler.listAcceptances,
      reconciler.deleteAcceptance,
      notifier.createAlertRule,
      notifier.updateAlertRule,
      notifier.deleteAlertRule,
      notifier.listAlertRules,
      notifier.previewAlertRule,
      notifier.testAlertRule,
      notifier.listDeliveries,
    ],
    listensTo: [sbomsFinished],
  },
  ingest: {
    ...none,
    requests: [
      catalog.getProject,
      catalog.registerSbom,
      catalog.findReferences,
      scanner.releaseSets,
    ],
  },
  catalog: {
    ...none,
    requests: [
      ...ownersOfProjectData.map(deleteProjectData),
      deleteServiceData,
      deleteScans,
      reconciler.removeSbom,
      reconciler.removeSboms,
      ingest.markContent,
      scanner.findPackageSets,
    ],
    publishes: [scans.scanRequested, scans.rescanRequested],
    consumes: [scans.catalogRescans, scans.catalogReconciled, scans.catalogScanFailures],
    watches: [
      scans.scannerUploads,
      scans.scannerRescans,
      scans.reconcilerUploads,
      scans.reconcilerRescans,
      scans.reconcilerPackageRescans,
    ],
    broadcasts: [sbomsFinished],
  },
  scanner: {
    ...none,
    requests: [catalog.requestRescans, ingest.readComponents, ingest.findUsedSets],
    publishes: [scans.scanRequested, scans.scanCompleted, scans.scanFailed],
    consumes: [scans.scannerUploads, scans.scannerRescans],
  },
  reconciler: {
    ...none,
    requests: [
      catalog.getProject,
      catalog.nameServices,
      catalog.checkScope,
      catalog.listAllServices,
      catalog.listServiceSboms,
      scanner.readFindingsOfSets,
      scanner.readFindingsPage,
      scanner.listFindingPackages,
      scanner.readCoverage,
      scanner.readDataStatus,
    ],
    publishes: [
      scans.sbomReconciled,
      scans.rescanCompleted,
      scans.scanFailed,
      scans.vulnerabilityChanged,
      scans.scanRequested,
    ],
    consumes: [scans.reconcilerUploads, scans.reconcilerRescans, scans.reconcilerPackageRescans],
  },
  notifier: {
    ...none,
    requests: [
      catalog.getProject,
      catalog.nameServices,
      catalog.checkScope,
      reconciler.listServiceStates,
      reconciler.listAlertPeriods,
    ],
    consumes: [scans.notifierChanges],
  },
};

/** Subject prefix of responses to a service's requests; no other service may subscribe to it. */
export function inboxOf(service: ServiceName | 'operator'): string {
  return `_INBOX_${service}`;
}

/** All requests of the bus. */
export const requestDefinitions: readonly RequestDefinition[] = [
  ...[catalog, ingest, notifier, reconciler, scanner, search].flatMap(requestDefinitionsOf),
  deleteServiceData,
  deleteScans,
  listFinished,
  ...ownersOfProjectData.map(deleteProjectData),
  ...serviceNames.map(pingOf),
];

function requestDefinitionsOf(area: object): RequestDefinition[] {
  const isRequestDefinition = (value: unknown): value is RequestDefinition =>
    typeof value === 'object' && value !== null && 'subject' in value && 'service' in value;
  return Object.values(area).filter(isRequestDefinition);
}
