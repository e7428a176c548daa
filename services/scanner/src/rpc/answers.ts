import * as messages from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import type { LeavingSetStore } from '../store/leaving-set-store';
import type { WaitingScanStore } from '../store/waiting-scan-store';
import { findAdvisory } from '../use-cases/find-advisory';
import { findPackageSets, type FindPackageSetsDeps } from '../use-cases/find-package-sets';
import { listFindingPackages } from '../use-cases/list-finding-packages';
import { listUndetermined, type ListUndeterminedDeps } from '../use-cases/list-undetermined';
import { readCoverage } from '../use-cases/read-coverage';
import { readFeeds } from '../use-cases/read-feeds';
import { readFindings, type ReadFindingsDeps } from '../use-cases/read-findings';
import { readFindingsPage } from '../use-cases/read-findings-page';
import { readFindingsOfSets } from '../use-cases/read-findings-of-sets';
import { readStanding } from '../use-cases/read-standing';

/** Every question that the scanner answers. */
export function scannerAnswers(
  deps: ReadFindingsDeps &
    FindPackageSetsDeps &
    ListUndeterminedDeps & { leaving: LeavingSetStore; waiting: WaitingScanStore },
): RpcDoor[] {
  return [
    answers(messages.readFindings, async ({ digest }) => {
      const { report, ...body } = await readFindings(deps, digest);
      return { body, attachment: report };
    }),
    answers(messages.readFindingsOfSets, async (query) => {
      const { report, ...body } = await readFindingsOfSets(deps, query);
      return { body, attachment: report };
    }),
    answers(messages.readFindingsPage, async (query) => {
      const { report, ...body } = await readFindingsPage(deps, query);
      return { body, attachment: report };
    }),
    answers(messages.listFindingPackages, async ({ digests }) => {
      const { packages, ...body } = await listFindingPackages(deps, digests);
      return { body, attachment: packages };
    }),
    answers(messages.readCoverage, async ({ digest }) => ({
      body: await readCoverage(deps, digest),
    })),
    answers(messages.listUndetermined, (body) => listUndetermined(deps, body)),
    answers(messages.findPackageSets, (query) => findPackageSets(deps, query)),
    answers(messages.findAdvisory, async ({ id }) => ({ body: await findAdvisory(deps, id) })),
    answers(messages.readStanding, async () => ({ body: await readStanding(deps) })),
    answers(messages.leaveSets, async ({ digests }) => {
      await deps.leaving.note(digests, new Date());
      return { body: { noted: digests.length } };
    }),
    answers(messages.forgetScans, async (body) => {
      await deps.waiting.forget(body);
      return { body: { more: false } };
    }),
    answers(messages.readFeeds, async () => ({ body: await readFeeds(deps) })),
  ];
}
