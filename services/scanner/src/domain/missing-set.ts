/** A document and its component set are stored one after the other, and repeated when that failed. */
const patienceMs = 10 * 60_000;

/**
 * Whether components that ingest does not hold will not come any more.
 *
 * @param createdAt when the SBOM was recorded, ISO 8601
 * @param now milliseconds since 1970
 */
export function isMissingForGood(createdAt: string, now: number): boolean {
  return now - Date.parse(createdAt) > patienceMs;
}
