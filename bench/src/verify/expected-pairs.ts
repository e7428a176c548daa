import type { SbomState } from '../load/api';
import type { ExpectedPairs } from '../sboms/base-document';

/**
 * Compares what was found in an SBOM with what must be found in it. Gives one line that says what is
 * wrong, or undefined when nothing is.
 */
export function pairsProblem(sbom: SbomState, expected: ExpectedPairs): string | undefined {
  const found = new Set(
    sbom.vulnerabilities
      .flatMap((one) => one.occurrences ?? [one])
      .flatMap(({ purl, advisory_ids = [] }) => advisory_ids.map((id) => `${purl}\t${id}`)),
  );
  const wanted = new Set(expected.pairs);
  const missing = [...wanted].filter((pair) => !found.has(pair));
  const unexpected = expected.complete ? [...found].filter((pair) => !wanted.has(pair)) : [];
  if (missing.length + unexpected.length === 0) return undefined;
  const list = (word: string, pairs: string[]): string[] =>
    pairs.length === 0 ? [] : [`${pairs.length} ${word} (${pairs.slice(0, 3).join(', ')})`];
  const said = [...list('missing', missing), ...list('unexpected', unexpected)].join(' and ');
  return `of ${wanted.size} known (purl, advisory) pairs: ${said}`.replaceAll('\t', ' ');
}
