/**
 * Thrown if there are more findings or vulnerabilities than fit into memory. The caller divides the work by
 * package, since packages are independent of each other.
 */
export class TooLargeError extends Error {}

/** The maximum number of a service's vulnerabilities in memory, unless they are all of one package. */
export const maxVulnerabilitiesInMemory = 5_000;
