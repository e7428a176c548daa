/**
 * Whether what npm noted as installed is what the lock file lists. Optional packages may be missing: they
 * are for other systems. The root entry and the workspaces are no packages that npm installs.
 */
function isSamePackages(listed, present) {
  const isPackage = (path) => path.startsWith('node_modules/') || path.includes('/node_modules/');
  for (const path of Object.keys(present).filter(isPackage)) {
    const [here, there] = [present[path], listed[path]];
    if (there === undefined) return false;
    if (here.version !== there.version || here.integrity !== there.integrity) return false;
  }
  return Object.keys(listed)
    .filter(isPackage)
    .every((path) => path in present || listed[path].optional || listed[path].devOptional);
}

module.exports = { isSamePackages };
