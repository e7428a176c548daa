import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import type { ApplyAcceptanceDeps } from '../use-cases/apply-acceptance';
import { acceptanceView, createAcceptance } from '../use-cases/create-acceptance';
import { deleteAcceptance } from '../use-cases/delete-acceptance';
import {
  forgetDeletedLine,
  forgetDeletedProject,
  type ForgetDeletedDeps,
} from '../use-cases/forget-deleted';
import { findAffected } from '../use-cases/find-affected';
import { listActive, summariseActive, type ListActiveDeps } from '../use-cases/list-active';
import { listEpisodes, type ListEpisodesDeps } from '../use-cases/list-episodes';
import { listLedgers, type ListLedgersDeps } from '../use-cases/list-ledgers';
import { countSbomFindings } from '../use-cases/count-sbom-findings';
import { listSbomVulnerabilities } from '../use-cases/list-sbom-vulnerabilities';
import {
  listVulnerabilities,
  type ListVulnerabilitiesDeps,
} from '../use-cases/list-vulnerabilities';
import { readVulnerability, type ReadVulnerabilityDeps } from '../use-cases/read-vulnerability';
import type { ReconcileSbomDeps } from '../use-cases/reconcile-sbom';
import { removeSboms } from '../use-cases/remove-sbom';

const zip = promisify(gzip);

/** Records that are one text at a time: each may name very many versions. */
const recordsAtOnce = 100;

/** One gzip'd JSON array of what comes in pages, of which only the packed bytes are kept. */
async function packPages(
  pages: AsyncIterable<readonly unknown[]>,
): Promise<{ count: number; attachment: Buffer }> {
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    yield '[';
    for await (const page of pages) {
      for (let at = 0; at < page.length; at += recordsAtOnce) {
        const some = page.slice(at, at + recordsAtOnce);
        yield (count > 0 ? ',' : '') + JSON.stringify(some).slice(1, -1);
        count += some.length;
      }
    }
    yield ']';
  }
  const packed: Buffer[] = [];
  await pipeline(texts, createGzip({ level: 1 }), async (bytes: AsyncIterable<Buffer>) => {
    for await (const some of bytes) packed.push(some);
  });
  return { count, attachment: Buffer.concat(packed) };
}

/** Every question that the reconciler answers. */
export function reconcilerAnswers(
  deps: ReconcileSbomDeps &
    ApplyAcceptanceDeps &
    ListActiveDeps &
    ListVulnerabilitiesDeps &
    ReadVulnerabilityDeps &
    ListLedgersDeps &
    ListEpisodesDeps &
    ForgetDeletedDeps,
): RpcDoor[] {
  return [
    answers(messages.listActive, async (body) => ({ body: await listActive(deps, body) })),
    answers(messages.listVulnerabilities, async (body) => ({
      body: await listVulnerabilities(deps, body),
    })),
    answers(messages.readVulnerability, async (body) => ({
      body: await readVulnerability(deps, body),
    })),
    answers(messages.findAffected, async (body) => ({ body: await findAffected(deps, body) })),
    answers(messages.summariseActive, async (body) => ({
      body: await summariseActive(deps, body),
    })),
    answers(messages.listSbomVulnerabilities, async (body) => {
      const { count, attachment } = await packPages(listSbomVulnerabilities(deps, body));
      return { body: { count }, attachment };
    }),
    answers(messages.countFindings, async (body) => {
      const { counts, failing } = await countSbomFindings(deps, body);
      const shown = JSON.stringify(failing.slice(0, messages.maxFailingShown));
      return { body: counts, attachment: await zip(shown, { level: 1 }) };
    }),
    answers(messages.removeSbom, async ({ sbom_id, settled = false, ...line }) => {
      await removeSboms(deps, { ...line, sbom_ids: [sbom_id], settled });
      return { body: { removed: true } };
    }),
    answers(messages.removeSboms, async ({ settled = false, ...removal }) => {
      await removeSboms(deps, { ...removal, settled });
      return { body: { removed: true } };
    }),
    answers(messages.forgetProject('reconciler'), async (body) => ({
      body: await forgetDeletedProject(deps, body),
    })),
    answers(messages.forgetLine, async (body) => ({ body: await forgetDeletedLine(deps, body) })),
    answers(messages.createAcceptance, async (body) => ({
      body: await createAcceptance(deps, body),
    })),
    answers(messages.listAcceptances, async (body) => {
      const { items, total } = await deps.acceptances.list(
        body.project_id,
        messages.pageWindow(body),
      );
      return { body: { items: items.map(acceptanceView), total } };
    }),
    answers(messages.deleteAcceptance, async (body) => {
      await deleteAcceptance(deps, body);
      return { body: { deleted: true } };
    }),
    answers(messages.listLedgers, async (body) => ({ body: await listLedgers(deps, body) })),
    answers(messages.listEpisodes, async (body) => ({ body: await listEpisodes(deps, body) })),
  ];
}
