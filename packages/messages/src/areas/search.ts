import { z } from 'zod';

/**
 * A package query: by purl, where only given qualifiers are compared, or by full name,
 * case-insensitive; for one version or any.
 */
export const packageQuery = z.object({
  purl: z.string().nullable(),
  name: z.string().nullable(),
  version: z.string().nullable(),
});
export type PackageQuery = z.infer<typeof packageQuery>;

/** A package in a component set. */
export interface ContainedPackage {
  name: string;
  version: string;
  /** Null if unknown. */
  purl: string | null;
  /** OSV name; null if the component is matched by no name or by another one. */
  ecosystem: string | null;
  /** Whether advisories match this version; null: unknown. */
  affected: boolean | null;
}

/**
 * Latest SBOMs of services that are not scanned, and those whose scan failed or whose content retention dropped; each
 * count stops at 1,000.
 */
export interface Unscanned {
  pending_sboms: number;
  failed_sboms: number;
}
