import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './real-data';

/** A difference from the expected matches that was looked into. */
export interface ExplainedDifference {
  document: string;
  purl: string;
  advisory: string;
  expectation: 'affected' | 'none';
  ours: 'affected' | 'undetermined' | 'not_affected';
  /** Who is right, and why, by which rule. */
  why: string;
}

/**
 * The explained differences: the one list that this comparison and the one without a stack
 * (`packages/osv/src/expected-matches.test.ts`) read; docs/matching.md sums it up.
 */
export function explainedDifferences(): ExplainedDifference[] {
  const file = path.join(repositoryRoot, 'packages', 'osv', 'testdata', 'differences.json');
  return JSON.parse(readFileSync(file, 'utf8')) as ExplainedDifference[];
}

const isVex = 'A VEX document, not an SBOM (docs/validation.md): as an SBOM it would look clean.';

/** Documents that are refused, and why that is right. */
export const explainedErrors: Readonly<Record<string, string>> = {
  '009-cdx-VEX-Case-1-vex-affected.cdx.json': isVex,
  '010-cdx-VEX-Case-1-vex-fixed.cdx.json': isVex,
  '011-cdx-VEX-Case-1-vex-not_affected.cdx.json': isVex,
  '022-wild-cdx-cyclonedx-obsidian-sailboat-sbom-cdx.cdx.json':
    '138 of its licences have only a url; CycloneDX 1.2 requires exactly one of id and name, and a missing required field is not forgiven.',
};
