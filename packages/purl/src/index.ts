export { parsePurl } from './parse';
export type { PackageUrl } from './parse';
export { fullName } from './full-name';
export { normalisePypiName, packageIdentity } from './package-identity';
