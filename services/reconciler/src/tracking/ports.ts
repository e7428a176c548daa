import type { ClientSession } from 'mongodb';
import type { AcceptanceStore } from '../decisions/ports';
import type { SbomVersion, TrackedVulnerability } from './domain/types';
import type { DetailsFacts, NewDetails, PackageDetails } from './store/details-document';
import type {
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from './store/documents';
import type { ServiceChange, StoredService } from './store/write-changes';

/** `lost`: another process wrote first. `deleted`: the project or the service was deleted. */
export type SaveOutcome = 'saved' | 'lost' | 'deleted';

/** What became of a change, see `changeService`. */
export type ChangeOutcome = 'changed' | 'unchanged' | 'deleted';

/** The stored services, as far as changing one needs them. Concurrent calls share round trips. */
export interface ServiceStates {
  /** The state of a service; null if nothing was written yet. */
  state(serviceId: string): Promise<ServiceStateDocument | null | 'deleted'>;
  /**
   * The vulnerabilities of a service whose state was read before; a change in between fails the condition on save.
   *
   * @param packages limits the result to these packages
   * @throws TooLargeError if there are too many, and not of a single package
   */
  vulnerabilities(
    service: { serviceId: string; state: ServiceStateDocument | null },
    packages?: readonly string[],
  ): Promise<TrackedVulnerability[]>;
  /** The maximum number of vulnerabilities that `vulnerabilities` returns, unless they are of a single package. */
  vulnerabilitiesRead: number;
  /** The number of vulnerabilities by package. */
  packageCounts(serviceId: string): Promise<Map<string, number>>;
  /** The existing SBOM versions, in order. */
  sbomVersions(serviceId: string): Promise<SbomVersion[]>;
  /** The stored SBOM version or tombstone of an SBOM; null if there is none. */
  sbomVersion(sbomId: string): Promise<SbomVersionDocument | null>;
  /** The sequence numbers from the last existing version before `seq` on, in order. */
  seqsAround(serviceId: string, seq: number): Promise<number[]>;
  /**
   * Writes a change if the service is still as `before`, in one transaction or, if it has too many vulnerabilities, in
   * several (see `splitChange`).
   */
  save(before: StoredService, change: ServiceChange): Promise<SaveOutcome>;
}

/** The decisions, as far as changing a service needs them. */
export type Acceptances = Pick<AcceptanceStore, 'epoch' | 'active' | 'lapse'>;

/** Vulnerability details, stored once by content hash. `DetailsGarbage` deletes unused ones. */
export interface DetailsStore {
  /** The facts that the rules read, and the titles, by details id. Details never change, so facts in memory are right. */
  facts(ids: Iterable<string>, session?: ClientSession): Promise<Map<string, DetailsFacts>>;
  /** Stored vulnerabilities as the rules read them. */
  toVulnerabilities(
    documents: readonly TrackedVulnerabilityDocument[],
    session?: ClientSession,
  ): Promise<TrackedVulnerability[]>;
  /**
   * Stores new details, and uses existing ones (see `use`). Must precede the write of vulnerabilities that
   * refer to them.
   */
  save(given: NewDetails): Promise<void>;
  /**
   * Keeps details in the database and in the indexes of the active list. Must precede the write of open
   * vulnerabilities that refer to them.
   */
  use(ids: Iterable<string>): Promise<void>;
  /** Details by id. May include deleted ones from memory: an id always stands for the same content. */
  read(ids: readonly string[]): Promise<Map<string, PackageDetails>>;
  /** The ids of the details that name one of these vulnerability ids, in upper case. */
  naming(ids: readonly string[]): Promise<string[]>;
}
