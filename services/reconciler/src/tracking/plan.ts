import type { Scan } from './domain/add-version';
import type { SbomVersion } from './domain/types';
import type { ServiceStateDocument } from './store/documents';

/** What happens to the SBOM versions of a service; its vulnerabilities follow. */
export interface VersionsChange {
  /** New versions, oldest first. Without a scan, the current one is read. */
  adding?: readonly { sbomVersion: SbomVersion; scan?: Scan }[];
  /** Ids of stored versions to be removed. */
  removing?: readonly string[];
  /** Ids of removed SBOMs without a version: a late scan must not add one. */
  absent?: readonly string[];
  /**
   * The findings of all versions may have changed; they are read at least at this revision, 0: the current ones.
   * `changed_at`: when the advisory change took effect, if known.
   */
  recompute?: { atLeast: number; changed_at?: string | undefined };
  /** The packages whose findings changed; absent: all. Only with `recompute` and without new versions. */
  packages?: readonly string[] | undefined;
}

/** What a use case wants to change in a service. */
export interface Plan {
  /** The packages in which acceptances are applied if nothing else changes; absent: all. */
  packages?: readonly string[] | undefined;
  /** Fails with `VexDecidesFirst` if VEX documents may decide in the project. */
  unlessVex?: boolean | undefined;
  /** One of several parts of a large change: runs alone in the process, which then pauses. */
  isPart?: true;
  /**
   * Says what happens to the SBOM versions of the service as it is stored; null: nothing, only the acceptances are
   * applied again. Called again after another process wrote first.
   *
   * @param isLarge the findings do not fit into memory: scans are not needed
   * @throws TooLargeError if the findings do not fit into memory
   */
  next(state: ServiceStateDocument | null, isLarge: boolean): Promise<VersionsChange | null>;
}

/** Nothing was changed, since VEX documents have to decide before. */
export class VexDecidesFirst extends Error {}

/** Applies the acceptances again, to the vulnerabilities of these packages or to all. */
export function onlyAcceptances(packages?: readonly string[]): Plan {
  return { packages, next: async () => null };
}
