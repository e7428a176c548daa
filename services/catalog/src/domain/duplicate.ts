/** The latest SBOM of a version line, as its head keeps it. */
export interface LatestSbom {
  sbom_id: string;
  sha256: string;
  version: string | null;
  /** Of its component set; absent where release 1.0.1 wrote it, until the sweep has filled it in. */
  digest?: string;
  /** Absent where a release up to 1.0.1 wrote it. */
  created_at?: Date;
}

/** How the head of a line remembers an SBOM. */
export function latestOf(sbom: {
  _id: string;
  sha256: string;
  version: string | null;
  digest: string;
  created_at: Date;
}): LatestSbom {
  const { _id: sbom_id, sha256, version, digest, created_at } = sbom;
  return { sbom_id, sha256, version, digest, created_at };
}

/** Of the next SBOM of a line: later than its latest one, so that lists by time have them in their order. */
export function createdAfter(latest: Pick<LatestSbom, 'created_at'> | null, now: Date): Date {
  const earliest = latest?.created_at ? latest.created_at.getTime() + 1 : 0;
  return earliest > now.getTime() ? new Date(earliest) : now;
}

/**
 * An upload repeats the latest SBOM of its line when bytes and version are the same; anything else
 * is a new record, also an older document again (docs/rules.md U1).
 */
export function repeatsLatest(
  latest: Pick<LatestSbom, 'sha256' | 'version'> | null,
  upload: { sha256: string; version: string | null },
): boolean {
  return latest !== null && latest.sha256 === upload.sha256 && latest.version === upload.version;
}
