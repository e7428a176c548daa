import {
  judgePackageVersions,
  maxJudgedPackages,
  type JudgedVersions,
  type MatchedName,
  type VersionVerdict,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { Verdict } from './domain/package-in-use';

/** Versions of a package to judge; see `judgePackageVersions`. */
export interface VersionsToJudge {
  ecosystem: string;
  names: MatchedName[];
  versions: string[];
}

/**
 * Judges versions by the scanner's matching.
 *
 * @returns a verdict for each version, in order
 * @throws AppError `service_unavailable` if the scanner cannot be asked
 */
export async function judgeVersions(
  { request }: { request: Request },
  packages: readonly VersionsToJudge[],
): Promise<Verdict[][]> {
  const verdicts: Verdict[][] = [];
  while (verdicts.length < packages.length) {
    const page = packages.slice(verdicts.length, verdicts.length + maxJudgedPackages);
    const { body, attachment } = await request(judgePackageVersions, { packages: page });
    const judged = (await unpackJson(attachment ?? Buffer.alloc(0))) as JudgedVersions;
    if (body.answered < 1) throw new Error('The scanner judged no package.');
    for (const versions of judged.packages)
      verdicts.push(versions.map((one) => verdictOf(one, judged)));
  }
  return verdicts;
}

function verdictOf({ affected, undecided }: VersionVerdict, judged: JudgedVersions): Verdict {
  const named = (positions: readonly number[]) =>
    positions.flatMap((position) => judged.advisories[position] ?? []);
  return { affected: named(affected), undecided: named(undecided) };
}
