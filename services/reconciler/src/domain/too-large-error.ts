/**
 * There are more findings, or rows, than should be in memory at once: who meets this divides the work by
 * packages. Rows and findings of one package depend on those of no other one.
 */
export class TooLargeError extends Error {}

/** Rows of one line that are in memory together, unless they are all of one package. */
export const maxVulnerabilitiesInMemory = 5_000;
