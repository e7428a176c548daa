/** Returns the release of this code: all packages have the same version. */
export function thisRelease(): string {
  // A bundler follows this call; a file outside of `src` cannot be imported.
  // oxlint-disable-next-line typescript/no-require-imports
  return (require('../package.json') as { version: string }).version;
}
