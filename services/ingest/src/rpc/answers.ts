import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import { acceptUpload, type AcceptUploadDeps } from '../use-cases/accept-upload';
import { condemnContent, type CollectGarbageDeps } from '../use-cases/collect-garbage';
import { diffComponentSets } from '../use-cases/diff-component-sets';

/** Every question that ingest answers. */
export function ingestAnswers(deps: AcceptUploadDeps & CollectGarbageDeps): RpcDoor[] {
  return [
    answers(messages.acceptUpload, async (body, attachment) => ({
      body: await acceptUpload(deps, body, attachment),
    })),
    answers(messages.readDocument, async ({ sha256 }) => {
      const found = await deps.documents.readDocument(sha256);
      if (!found) throw new AppError('sbom_not_found');
      return { body: { size: found.size }, attachment: found.bytes };
    }),
    answers(messages.readComponents, async ({ digest }) => {
      const found = await deps.documents.readSet(digest);
      if (!found) throw new AppError('sbom_not_found');
      const { count, roots, bytes } = found;
      return { body: { count, roots: [...roots] }, attachment: bytes };
    }),
    answers(messages.diffComponents, async (body) => {
      const { counts, packed } = await diffComponentSets(deps, body);
      return { body: counts, attachment: packed };
    }),
    answers(messages.condemnContent, async (body) => ({
      body: { condemned: await condemnContent(deps, body) },
    })),
    answers(messages.findHeldSets, async ({ digests }) => ({
      body: { held: await deps.garbage.held(digests) },
    })),
  ];
}
