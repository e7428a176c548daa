export type {
  OsvAffected,
  OsvEvent,
  OsvRange,
  OsvRecord,
  OsvReference,
  OsvSeverity,
} from './record';
export { readRecord } from './read-record';
export { affectedKeys, packageKey, versionKey } from './package-key';
export type { PackageVersion } from './package-key';
export { isDistribution, MATCHED_ECOSYSTEMS } from './ecosystems';
export { MATCHING_RULES_VERSION } from './rules-version';
export { isCoveredRelease, releaseOfAdvisory, releaseOfComponent } from './covered-releases';
export { PERHAPS_ITS_PACKAGE } from './go-module';
export { ecosystemOf, locate } from './locate';
export { findingPackageKey, findingPackageKeyOf } from './finding-package-key';
export type { SourceDataStatus } from './locate-distribution-package';
export type { Located, UndeterminedReason } from './locate';
export { evaluate, evaluateStatus } from './evaluate';
export type { MatchReason, MatchRule, Verdict } from './evaluate';
export { cveRecordId, isCveRecord, readCveRecord } from './cve-record';
export { aliasGroups, createAliasGroups } from './alias-groups';
export { describeGroup } from './describe-group';
export type { VulnerabilityDetails } from './describe-group';
export type { Severity } from './cvss';
export { compareIn } from './compare-versions';
export { versionText } from './version-text';
