/** Thrown by a read that finds expired acceptances which the vulnerabilities still reflect (`withExpiriesApplied`). */
export class ExpiryDueError extends Error {
  constructor() {
    super('An expired acceptance is not applied yet.');
  }
}
