/** Ends with one line when this Node.js is older than `engines` in package.json allows. */
export function requireNode(oldest) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  console.error(
    `bomtrail needs Node.js ${oldest} or newer, and this is ${process.versions.node}: install a newer one.`,
  );
  process.exit(1);
}
