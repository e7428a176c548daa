/**
 * A component of a set, as returned by ingest (`DependencyResponse` of the interface
 * specification).
 */
export interface Component {
  name: string;
  /** Empty when the document has none. */
  version: string;
  purl: string | null;
  is_direct: boolean;
  /** Set for the subject of the document. */
  is_root?: true;
  /** Source package of a distribution package, when the document states it outside the purl. */
  source_package?: string;
}

/** A component with a package version that has matches. */
export interface MatchedComponent {
  purl: string;
  package_name: string;
  package_version: string;
  is_direct: boolean;
  /** Set for the subject of the document. */
  is_root?: true;
  /** Package version by the component's own name. */
  version_id: string;
  /** Further package versions, for example of its source package; absent for none. */
  other_version_ids?: string[];
  /** Package of its findings, see `findingPackageKey`. */
  package_key: string;
  /** Number of matching advisories; approximates the number of findings. */
  matches: number;
}

/** Ids of all package versions of a component, the one by its own name first. */
export function versionIdsOf({
  version_id,
  other_version_ids,
}: MatchedComponent): readonly string[] {
  return other_version_ids === undefined ? [version_id] : [version_id, ...other_version_ids];
}
