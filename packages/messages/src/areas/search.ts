import { z } from 'zod';

/**
 * The package that is searched for: by its purl, where qualifiers count only when they are given, or
 * by the ecosystem's full name in any case; of one version, or of any.
 */
export const packageQuery = z.object({
  purl: z.string().nullable(),
  name: z.string().nullable(),
  version: z.string().nullable(),
});
export type PackageQuery = z.infer<typeof packageQuery>;

/** A package that a component set holds. */
export interface ContainedPackage {
  name: string;
  version: string;
  /** Null where the component has none that is known. */
  purl: string | null;
  /** OSV's name; null where the package is held by name only and matched under no or another name. */
  ecosystem: string | null;
  /** Do advisories match this version? Null: not known, by this name and these data. */
  affected: boolean | null;
}

/** SBOMs that are the latest of their service and of which nothing is known yet; each count stops at 1,000. */
export interface Unscanned {
  pending_sboms: number;
  failed_sboms: number;
}
