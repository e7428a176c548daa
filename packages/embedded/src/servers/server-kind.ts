/** The two servers that bomtrail stands on. */
export type ServerKind = 'mongod' | 'nats-server';

/** Oldest releases that bomtrail works with: replica-set transactions, work queues with filters. */
export const OLDEST_RELEASE: Record<ServerKind, [major: number, minor: number]> = {
  mongod: [6, 0],
  'nats-server': [2, 10],
};

/** `6.0.5` out of what `--version` prints, or undefined when there is no release number in it. */
export function releaseIn(output: string): string | undefined {
  return /\bv?(\d+\.\d+\.\d+)/.exec(output)?.[1];
}

/** Whether a release such as `6.0.5` is at least the oldest one that bomtrail works with. */
export function isRecentEnough(kind: ServerKind, release: string): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_RELEASE[kind];
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
