import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  createLicenceReader,
  readSbom,
  type Dependency,
  type LicenceFacts,
  type QualityFacts,
  type SbomFormat,
  type SbomProblemCode,
} from '@bomtrail/sbom-formats';
import { packLicences, type PackedLicences } from './pack-licences';

export interface ParseTask {
  /** The document, gzip'd. */
  bytes: Uint8Array;
  sha256: string;
  size: number;
  maxComponents: number;
}

export type ParseOutcome =
  | {
      ok: true;
      format: SbomFormat;
      specVersion: string;
      rootName: string | null;
      digest: string;
      count: number;
      roots: Dependency[];
      licences: PackedLicences;
      quality: QualityFacts;
      /** JSON array of dependencies, gzip'd. */
      components: Uint8Array;
    }
  | { ok: false; code: SbomProblemCode; detail: string };

/** Level 1 is nearly as small as the default for these files, and faster. */
const gzipLevel = 1;

/** One chunk avoids copying; zlib requires a minimum size. */
const minChunk = 64;
const maxChunk = 16 * 1024 * 1024;

/**
 * Worker thread: unpacks a document, verifies its hash, and reads and normalises it.
 *
 * @throws Error when the bytes are corrupted
 */
export default function parseDocument(task: ParseTask): ParseOutcome {
  const document = gunzipSync(task.bytes, {
    maxOutputLength: Math.max(task.size, 1),
    chunkSize: Math.min(Math.max(task.size, minChunk), maxChunk),
  });
  if (createHash('sha256').update(document).digest('hex') !== task.sha256) {
    throw new Error('The document was corrupted in transit.');
  }
  const result = readSbom(document, { maxComponents: task.maxComponents });
  if (!result.ok) return result;
  const { sbom } = result;
  return {
    ok: true,
    format: sbom.format,
    specVersion: sbom.specVersion,
    rootName: sbom.rootName,
    digest: sbom.digest,
    count: sbom.dependencies.length,
    roots: sbom.roots,
    licences: packLicences(sbom.dependencies),
    quality: sbom.quality,
    components: gzipSync(JSON.stringify(withLicences(sbom.dependencies)), { level: gzipLevel }),
  };
}

/**
 * Each dependency that states a licence, with what it means; the digest covers the licence itself. The
 * dependencies are changed in place: copies of all cost more than the rest of this step.
 */
function withLicences(dependencies: readonly Dependency[]): (Dependency & Partial<LicenceFacts>)[] {
  const read = createLicenceReader();
  return dependencies.map((dependency) =>
    dependency.license === null ? dependency : Object.assign(dependency, read(dependency.license)),
  );
}
