/** The latest SBOM of a service, stored with the service. */
export interface LatestSbom {
  sbom_id: string;
  sha256: string;
  version: string | null;
  /** Digest of its component set. */
  digest: string;
  created_at: Date;
}

/** The part of an SBOM that is stored with its service. */
export function latestOf(sbom: {
  _id: string;
  sha256?: string;
  version: string | null;
  digest?: string;
  created_at: Date;
}): LatestSbom {
  // An expired SBOM equals no upload: its document is gone.
  const { _id: sbom_id, sha256 = '', version, digest = '', created_at } = sbom;
  return { sbom_id, sha256, version, digest, created_at };
}

/**
 * Creation time of the next SBOM of a service: later than that of its latest one, so that lists by
 * time are in upload order.
 */
export function createdAfter(latest: Pick<LatestSbom, 'created_at'> | null, now: Date): Date {
  const earliest = latest ? latest.created_at.getTime() + 1 : 0;
  return earliest > now.getTime() ? new Date(earliest) : now;
}

/**
 * Whether an upload duplicates the latest SBOM of its service: same bytes and same version.
 * Anything else is a new record, even an older document (docs/rules.md U1).
 */
export function repeatsLatest(
  latest: { sha256?: string; version: string | null } | null,
  upload: { sha256: string; version: string | null },
): boolean {
  return latest !== null && latest.sha256 === upload.sha256 && latest.version === upload.version;
}
