import type { VexDocument } from './vex-document';

type Revision = Pick<VexDocument, 'version' | 'last_updated'>;

/**
 * Order of two revisions of one document: by version (numbers, or semantic versions as CSAF 2.0, section 3.1.11, has
 * them), then by the time of the last change. Negative: the first is older; 0: neither is newer.
 */
export function compareRevisions(one: Revision, other: Revision): number {
  const [ones, others] = [one, other].map(({ version }) => numbersOf(version)) as [
    number[],
    number[],
  ];
  for (let at = 0; at < Math.max(ones.length, others.length); at += 1) {
    const difference = (ones[at] ?? 0) - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  const isPrerelease = ({ version }: Revision): number => (/^\d+\.\d+\.\d+-/.test(version) ? 0 : 1);
  const difference = isPrerelease(one) - isPrerelease(other);
  if (difference !== 0) return difference;
  const [time, otherTime] = [one.last_updated ?? '', other.last_updated ?? ''];
  return time === otherTime ? 0 : time < otherTime ? -1 : 1;
}

/** `1.2.3-beta+build` is 1, 2, 3; text that is no version counts as 0. */
function numbersOf(version: string): number[] {
  const [core = ''] = version.split(/[-+]/);
  return core.split('.').map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : 0));
}
