/** Differences from the expected matches and refusals that were looked into, each with its reason. */

/** Pairs that the expectation has and we do not: `[part of the purl, reason]`. */
export const explainedMisses: readonly [string, string][] = [
  [
    '@(devel)',
    'Go writes (devel) for a module built from its own checkout: it is no version. The expectation reads it as version 0; we count it as undetermined (unreadable_version).',
  ],
];

/** Documents that are refused, and why that is right. */
export const explainedRefusals: Readonly<Record<string, string>> = {
  '022-wild-cdx-cyclonedx-obsidian-sailboat-sbom-cdx.cdx.json':
    '138 of its licences have only a url; CycloneDX 1.2 requires exactly one of id and name, and a missing required field is not forgiven.',
};
