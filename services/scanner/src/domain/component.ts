/** One component of a set, as ingest answers it (the contract's DependencyResponse). */
export interface Component {
  name: string;
  /** Empty when the document names none. */
  version: string;
  purl: string | null;
  is_direct: boolean;
}

/** A component whose package version has matches. */
export interface Hit {
  purl: string;
  package_name: string;
  package_version: string;
  is_direct: boolean;
  version_id: string;
}
