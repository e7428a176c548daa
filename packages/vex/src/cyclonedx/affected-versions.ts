import type { VexStatus } from '../vex-document';
import type { CycloneDxAffected } from './cyclonedx-vex-document';

/** What `affects[].versions` says of the versions that a statement is about. */
export interface AffectedVersions {
  /** Exact versions; ranges are not evaluated, so they fit nothing. Null: none are listed. */
  limits: string[] | null;
  /** Whether the statement is about a component that states these versions itself. */
  decides: (stated: readonly string[]) => boolean;
}

/**
 * Reads `affects[].versions`. What is resolved is not resolved in versions that are listed as affected or unknown; in
 * the other states these describe the package. A component that states its version is not limited by ranges alone,
 * which may be those of an advisory.
 */
export function readVersions(
  listed: NonNullable<CycloneDxAffected['versions']>,
  status: VexStatus,
): AffectedVersions {
  const isOpen = (one: { status?: string }): boolean =>
    status === 'fixed' && (one.status === 'affected' || one.status === 'unknown');
  const exact = (isListed: (one: { status?: string }) => boolean): string[] =>
    listed.filter(isListed).flatMap(({ version }) => version || []);
  const open = exact(isOpen);
  const decided = exact((one) => !isOpen(one)).filter((one) => !open.includes(one));
  const hasOpenRange = listed.some((one) => isOpen(one) && !one.version);
  return {
    limits: listed.length === 0 ? null : decided,
    decides: (stated) => {
      if (stated.some((one) => open.includes(one))) return false;
      if (decided.length > 0) return stated.some((one) => decided.includes(one));
      return !hasOpenRange;
    },
  };
}
