import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { answers, handles, packJson, type RpcTransport } from '@bomtrail/messaging';
import { createAcceptUpload } from '../use-cases/accept-in-groups';
import type { AcceptUploadDeps } from '../use-cases/accept-upload';
import { markContent, type CollectGarbageDeps } from '../use-cases/collect-garbage';
import { diffComponentSets } from '../use-cases/diff-component-sets';
import { findLicensedSets, readLicensed, type FindLicensedDeps } from '../use-cases/find-licensed';
import { judgeLicences } from '../use-cases/judge-licences';
import { parseUnstored } from '../use-cases/parse-unstored';
import { readQuality } from '../use-cases/read-quality';
import {
  describeStoredSbom,
  matchVexInDocument,
  matchVexProducts,
  readEmbeddedStatements,
  readVexDocument,
  type VexDeps,
} from '../use-cases/read-vex';
import {
  findDependencyPaths,
  type FindDependencyPathsDeps,
} from '../use-cases/find-dependency-paths';
import {
  readDependencyLevel,
  type ReadDependencyLevelDeps,
} from '../use-cases/read-dependency-level';

/** All request handlers of ingest. */
export function ingestHandlers(
  deps: AcceptUploadDeps &
    CollectGarbageDeps &
    FindDependencyPathsDeps &
    ReadDependencyLevelDeps &
    FindLicensedDeps &
    VexDeps,
): RpcTransport[] {
  const acceptUpload = createAcceptUpload(deps);
  return [
    answers(messages.acceptUpload, (body, attachment) => acceptUpload(body, attachment)),
    handles(messages.parseDocument, async (body, bytes, gone) => {
      const { parsed, components } = await parseUnstored(deps, body, { bytes, gone });
      return { body: parsed, attachment: components };
    }),
    handles(messages.readDocument, async ({ sha256 }) => {
      const found = await deps.documents.readDocument(sha256);
      if (!found) throw new AppError('sbom_not_found');
      return { body: { size: found.size }, attachment: found.bytes };
    }),
    handles(messages.readComponents, async ({ digest }) => {
      const found = await deps.documents.readSet(digest);
      if (!found) throw new AppError('sbom_not_found');
      const { count, roots, bytes } = found;
      return { body: { count, roots: [...roots] }, attachment: bytes };
    }),
    handles(messages.diffComponents, async (body) => {
      const { counts, packed } = await diffComponentSets(deps, body);
      return { body: counts, attachment: packed };
    }),
    answers(messages.judgeLicenses, (body, attachment) => judgeLicences(deps, body, attachment)),
    handles(messages.readQuality, async ({ sha256 }) => ({
      body: { quality: await readQuality(deps, sha256) },
    })),
    handles(messages.findLicensedSets, (query) => findLicensedSets(deps, query)),
    handles(messages.readLicensed, async (query) => {
      const found = await readLicensed(deps, query);
      const attachment = await packJson(JSON.stringify(found));
      return { body: { sets: Object.keys(found).length }, attachment };
    }),
    handles(messages.findDependencyPaths, async (query) => {
      const found = await findDependencyPaths(deps, query);
      const attachment = await packJson(JSON.stringify(found));
      return { body: { count: found.length }, attachment };
    }),
    handles(messages.readDependencyLevel, async (query, given) => {
      const level = await readDependencyLevel(deps, query, given);
      return { body: { total: level.total }, attachment: await packJson(JSON.stringify(level)) };
    }),
    handles(messages.readVex, async (_query, attachment) => {
      const { document, sha256 } = await readVexDocument(deps, attachment);
      const statements = document.statements.length;
      const packed = await packJson(JSON.stringify(document));
      return { body: { statements, sha256 }, attachment: packed };
    }),
    handles(messages.readEmbeddedVex, async ({ sha256 }) => {
      const found = await readEmbeddedStatements(deps, sha256);
      const attachment = await packJson(JSON.stringify(found));
      return { body: { statements: found.statements.length }, attachment };
    }),
    answers(messages.describeSbom, ({ sha256 }) => describeStoredSbom(deps, sha256)),
    handles(messages.matchVex, async ({ sha256 }, attachment) => {
      const found = await matchVexProducts(deps, { sha256, products: attachment });
      return { body: { count: found.length }, attachment: await packJson(JSON.stringify(found)) };
    }),
    handles(messages.matchVexUnstored, async (body, attachment) => {
      const found = await matchVexInDocument(deps, body, attachment);
      const packed = await packJson(JSON.stringify(found));
      return { body: { count: found.matches.length }, attachment: packed };
    }),
    handles(messages.markContent, async (body) => ({
      body: { marked: await markContent(deps, body) },
    })),
    handles(messages.findUsedSets, async ({ digests }) => ({
      body: { used: await deps.garbage.listStored(digests) },
    })),
  ];
}
