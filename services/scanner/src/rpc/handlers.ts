import * as messages from '@bomtrail/messages';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
import type { ReleasedSetStore } from '../deletion/store/released-set-store';
import type { WaitingScanStore } from '../feeds/store/waiting-scan-store';
import { findAdvisory } from '../queries/find-advisory';
import { findPackageSets, type FindPackageSetsDeps } from '../queries/find-package-sets';
import { listFindingPackages } from '../queries/list-finding-packages';
import { listUndetermined, type ListUndeterminedDeps } from '../queries/list-undetermined';
import { readCoverage, readCoverages } from '../queries/read-coverage';
import { readFeeds, type ReadFeedsDeps } from '../queries/read-feeds';
import { listRiskChanges, readRiskScores } from '../risk/list-risk-changes';
import { matchComponents, type MatchComponentsDeps } from '../queries/match-components';
import { readFindingsPage } from '../queries/read-findings-page';
import { readFindingsOfSets } from '../queries/read-findings-of-sets';
import type { ReadSetDeps } from '../queries/set-at';
import { readDataStatus } from '../queries/read-data-status';
import {
  judgePackageVersions,
  type JudgePackageVersionsDeps,
} from '../remediations/judge-package-versions';
import { listAffectedComponents } from '../remediations/list-affected-components';

/** All request handlers of the scanner. */
export function scannerHandlers(
  deps: ReadSetDeps &
    FindPackageSetsDeps &
    ListUndeterminedDeps &
    JudgePackageVersionsDeps &
    MatchComponentsDeps &
    ReadFeedsDeps & { released: ReleasedSetStore; waiting: WaitingScanStore },
): RpcTransport[] {
  return [
    handles(messages.readFindingsOfSets, async (query) => {
      const { report, ...body } = await readFindingsOfSets(deps, query);
      return { body, attachment: report };
    }),
    handles(messages.readFindingsPage, async (query) => {
      const { report, ...body } = await readFindingsPage(deps, query);
      return { body, attachment: report };
    }),
    handles(messages.matchComponents, async ({ roots }, attachment, gone) => {
      if (!attachment) throw new messages.AppError('malformed_body', 'The components are missing.');
      const { packed, ...body } = await matchComponents(deps, { roots, packed: attachment }, gone);
      return { body, attachment: packed };
    }),
    handles(messages.listFindingPackages, async ({ digests }) => {
      const { packages, ...body } = await listFindingPackages(deps, digests);
      return { body, attachment: packages };
    }),
    answers(messages.readCoverage, ({ digest }) => readCoverage(deps, digest)),
    handles(messages.readCoverages, async ({ digests }) => ({
      body: { coverages: await readCoverages(deps, digests) },
    })),
    handles(messages.listUndetermined, (body) => listUndetermined(deps, body)),
    handles(messages.findPackageSets, (query) => findPackageSets(deps, query)),
    answers(messages.findAdvisory, ({ id }) => findAdvisory(deps, id)),
    answers(messages.readDataStatus, () => readDataStatus(deps)),
    handles(messages.listAffectedComponents, async ({ digests }) => {
      const { answered, packed } = await listAffectedComponents(deps, digests);
      return { body: { answered }, attachment: packed };
    }),
    handles(messages.judgePackageVersions, async ({ packages }) => {
      const { packed, ...body } = await judgePackageVersions(deps, packages);
      return { body, attachment: packed };
    }),
    handles(messages.releaseSets, async ({ digests }) => {
      await deps.released.add(digests, new Date());
      return { body: { noted: digests.length } };
    }),
    handles(messages.deleteScans, async (body) => {
      await deps.waiting.deleteScope(body);
      return { body: { more: false } };
    }),
    answers(messages.readFeeds, () => readFeeds(deps)),
    answers(messages.readRiskScores, (query) => readRiskScores(deps, query)),
    answers(messages.listRiskChanges, (query) => listRiskChanges(deps, query)),
  ];
}
