import type { AcceptanceStore } from '../decisions/store/acceptance-store';
import type { SbomVersion, TrackedVulnerability } from './domain/types';
import type { SbomVersionDocument, ServiceStateDocument } from './store/documents';
import type { ServiceChange, StoredService } from './store/write-changes';

/** `lost`: another process wrote first. `deleted`: the project or the service was deleted. */
export type SaveOutcome = 'saved' | 'lost' | 'deleted';

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

/** The acceptances, as far as changing a service needs them. */
export type Acceptances = Pick<AcceptanceStore, 'epoch' | 'active' | 'lapse'>;
