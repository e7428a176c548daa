/** Longer than the delay between storing a document and its component set, including retries. */
const patienceMs = 10 * 60_000;

/**
 * Whether to give up waiting for components that ingest does not have.
 *
 * @param createdAt creation time of the SBOM record, ISO 8601
 * @param now milliseconds since 1970
 */
export function isMissingForGood(createdAt: string, now: number): boolean {
  return now - Date.parse(createdAt) > patienceMs;
}
