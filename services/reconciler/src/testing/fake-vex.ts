import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles, packJson, unpackJson } from '@bomtrail/messaging';
import { matchStatements, readVex, type VexInDocument, type VexProduct } from '@bomtrail/vex';
import type { FakeFinding } from './findings';
import type { TestReconciler } from './start-reconciler';
import type { TestService } from './service';

/** An SBOM of `app` with components that depend on each other in a chain. */
export interface FakeSbom {
  /** `name@version` of the root. */
  root: string;
  components: string[];
}

/** Ingest and catalog as far as documents need them; VEX documents are read and matched by the real rules. */
export interface FakeVex {
  /** Uploads an SBOM with these findings and waits until it is reconciled. */
  upload(
    service: TestService,
    sbom: FakeSbom,
    ...findings: (string | FakeFinding)[]
  ): Promise<messages.SbomReference>;
  importVex(document: object, projectId: string | null): Promise<messages.VexDocumentDetail>;
  /** Retention expires an SBOM, and its document is collected. */
  expire(sbom: messages.SbomReference): Promise<void>;
}

export function serveFakeVex(test: TestReconciler): FakeVex {
  const bytesBySha = new Map<string, Buffer>();
  const shaBySbom = new Map<string, string>();
  const expired = new Set<string>();
  test.bus.serve(
    handles(messages.getSbom, async ({ sbom_id }) => {
      const sha256 = shaBySbom.get(sbom_id);
      if (sha256 === undefined) throw new AppError('sbom_not_found');
      return { body: { sha256, retained: !expired.has(sbom_id) } as messages.SbomRecord };
    }),
  );
  test.bus.serve(
    handles(messages.readVex, async (_query, attachment) => {
      const bytes = gunzipSync(attachment ?? Buffer.alloc(0));
      const result = readVex(bytes, { statements: messages.maxVexStatements });
      if (!result.ok) throw new AppError(result.code, result.detail);
      const text = JSON.stringify(result.document);
      const body = { statements: result.document.statements.length, sha256: shaOf(text) };
      return { body, attachment: await packJson(text) };
    }),
  );
  test.bus.serve(
    handles(messages.matchVex, async ({ sha256 }, attachment) => {
      const bytes = bytesBySha.get(sha256);
      if (!bytes) throw new AppError('sbom_not_found');
      const products = (await unpackJson(attachment ?? Buffer.alloc(0))) as VexProduct[][];
      const found = matchStatements(bytes, products);
      return { body: { count: found.length }, attachment: await packJson(JSON.stringify(found)) };
    }),
  );
  test.bus.serve(
    handles(messages.matchVexUnstored, async ({ document_bytes }, attachment) => {
      const sent = attachment ?? Buffer.alloc(0);
      const products = (await unpackJson(sent.subarray(document_bytes))) as VexProduct[][];
      const matches = matchStatements(gunzipSync(sent.subarray(0, document_bytes)), products);
      const found: VexInDocument = { matches, embedded: null };
      return { body: { count: matches.length }, attachment: await packJson(JSON.stringify(found)) };
    }),
  );
  return {
    async upload(service, sbom, ...findings) {
      const scan = service.upload(test.newSet(...findings));
      const bytes = bytesOf(sbom);
      const sha256 = shaOf(bytes);
      bytesBySha.set(sha256, bytes);
      shaBySbom.set(scan.sbom_id, sha256);
      await test.finish(scan);
      return scan;
    },
    async expire({ service_id, sbom_id }) {
      await test.bus.request(messages.expireSboms, { service_id, sbom_ids: [sbom_id] });
      expired.add(sbom_id);
      bytesBySha.delete(shaBySbom.get(sbom_id) ?? '');
    },
    async importVex(document, project_id) {
      const bytes = Buffer.from(JSON.stringify(document));
      const request = { project_id, size: bytes.length };
      return (await test.bus.request(messages.importVex, request, gzipSync(bytes))).body;
    },
  };
}

function shaOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The SBOM as CycloneDX. */
export function bytesOf({ root, components }: FakeSbom): Buffer {
  const component = (text: string): object => {
    const [name, version] = text.split('@');
    return { type: 'library', name, version, 'bom-ref': text, purl: `pkg:npm/${text}` };
  };
  const chain = [root, ...components];
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: component(root) },
      components: components.map(component),
      dependencies: chain.map((ref, index) => ({
        ref,
        dependsOn: chain.slice(index + 1, index + 2),
      })),
    }),
  );
}
