/** One component of a set, as ingest answers it (the contract's DependencyResponse). */
export interface Component {
  name: string;
  /** Empty when the document names none. */
  version: string;
  purl: string | null;
  is_direct: boolean;
  /** It is what the document is about; absent for every other one. */
  is_root?: true;
  /** Of a distribution's package: its source, where the document says it beside the purl. */
  source_package?: string;
}

/** A component of which a package version has matches. */
export interface MatchedComponent {
  purl: string;
  package_name: string;
  package_version: string;
  is_direct: boolean;
  /** It is what the document is about; absent for every other one. */
  is_root?: true;
  /** By the component's own name. */
  version_id: string;
  /** What else it is, e.g. its source package; absent where it is one package version. */
  other_version_ids?: string[];
  /** Package of its findings, see `findingPackageKey`. */
  package_key: string;
  /** Number of advisories that matched; about the number of its findings. */
  matches: number;
}

/** All package versions that a hit is, the one by its own name first. */
export function versionIdsOf({
  version_id,
  other_version_ids,
}: MatchedComponent): readonly string[] {
  return other_version_ids === undefined ? [version_id] : [version_id, ...other_version_ids];
}
