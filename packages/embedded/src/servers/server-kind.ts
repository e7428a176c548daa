/** The servers that bomtrail needs. */
export type ServerKind = 'mongod' | 'nats-server';

/** Minimum releases: replica-set transactions, work queues with filters. */
export const OLDEST_RELEASE: Record<ServerKind, [major: number, minor: number]> = {
  mongod: [6, 0],
  'nats-server': [2, 10],
};

/** Extracts a release like `6.0.5` from the output of `--version`; undefined without one. */
export function releaseIn(output: string): string | undefined {
  return /\bv?(\d+\.\d+\.\d+)/.exec(output)?.[1];
}

/** True if a release like `6.0.5` is supported. */
export function isRecentEnough(kind: ServerKind, release: string): boolean {
  const [oldestMajor, oldestMinor] = OLDEST_RELEASE[kind];
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
