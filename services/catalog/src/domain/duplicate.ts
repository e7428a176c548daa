/** The latest SBOM of a version line, as its head keeps it. */
export interface LatestSbom {
  sbom_id: string;
  sha256: string;
  version: string | null;
}

/** How the head of a line remembers an SBOM. */
export function latestOf(sbom: {
  _id: string;
  sha256: string;
  version: string | null;
}): LatestSbom {
  return { sbom_id: sbom._id, sha256: sbom.sha256, version: sbom.version };
}

/**
 * An upload repeats the latest SBOM of its line when bytes and version are the same; anything else
 * is a new record, also an older document again (decisions.md "Upload").
 */
export function repeatsLatest(
  latest: LatestSbom | null,
  upload: { sha256: string; version: string | null },
): boolean {
  return latest !== null && latest.sha256 === upload.sha256 && latest.version === upload.version;
}
