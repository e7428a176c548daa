import type { components } from '@bomtrail/api-contract';
import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import { briefColumns, dependencyColumns } from '../csv/columns';
import { csvReply, type ListFormat } from '../csv/csv-reply';
import { notCovered } from '../csv/not-evaluated';
import { splitArray } from '../csv/split-array';
import { publicService } from '../shared/public-service';
import { Readable } from 'node:stream';
import { downloadName } from './domain/download-name';
import type { NamingDeps } from '../projects/service-names';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import { diffSboms } from './diff-sboms';
import { listDependencyGraph, type LevelRequest } from './list-dependency-graph';
import { listDependencyPaths } from './list-dependency-paths';
import {
  attached,
  deleteSbom,
  listSbomCoverage,
  readSbomDetail,
  readSbomDocument,
  retainedRecord,
  type ReadSbomDetailDeps,
  type SbomDetail,
} from './read-sbom';
import type { ReceivedFile } from '../uploads/received-file';
import { uploadSbom, uploadTarget, type UploadSbomDeps } from '../uploads/upload-sbom';
import { json, nothing, route, type Reply, type Route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import { spliceJson } from '../shared/splice-json';
import { exportVdr } from '../vex/export-vdr';
import { whileConnected } from '../http/while-connected';
import { weakEtag } from '../http/weak-etag';
import { gunzipStream } from '../uploads/unpack-gzip';

interface UploadBody {
  project_id?: string;
  project_slug?: string;
  version?: string;
  service_name?: string;
  commit?: string;
  build_url?: string;
  file: ReceivedFile;
}
type SbomPath = { sbom_id: string };
type SbomQuery = {
  format?: ListFormat['format'] | 'cyclonedx';
  wait: number;
  list: 'vulnerabilities' | 'dependencies';
};

export interface SbomRouteDeps extends ReadSbomDetailDeps, UploadSbomDeps, NamingDeps {
  receiveUpload: Route['receive'];
}

export function sbomRoutes(deps: SbomRouteDeps): Routes {
  return {
    uploadSbom: route<{ body: UploadBody }>({
      receive: deps.receiveUpload,
      handle: async ({ caller, body }) => {
        const upload = { target: uploadTarget(body), build: body, file: body.file };
        return json(await uploadSbom(deps, caller, upload));
      },
    }),
    getSbom: route<{ path: SbomPath; query: SbomQuery }>({
      receive: receiveNothing,
      handle: ({ caller, path, query, request }) =>
        whileConnected(request, async (ended) => {
          const wait = { seconds: query.wait, ended };
          const detail = await readSbomDetail(deps, caller, { ...path, wait });
          if (query.format === 'cyclonedx') return vdrReply(await exportVdr(deps, caller, detail));
          return query.format === 'csv' ? csvOfDetail(detail, query.list) : detailReply(detail);
        }),
    }),
    listSbomCoverage: route<{ path: SbomPath; query: PageRequest & { reason?: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        const found = await listSbomCoverage(deps, caller, { ...path, ...query });
        return json({
          ...pageEnvelope(found, query),
          coverage: found.coverage,
          scan_status: found.scanStatus,
          advisory_data: found.advisoryData,
        });
      },
    }),
    downloadSbom: route<{ path: SbomPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path, request }) => {
        const document = await readSbomDocument(deps, caller, path.sbom_id);
        const asGzip = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
        return documentReply(document, asGzip);
      },
    }),
    listDependencyPaths: route<{ path: SbomPath; query: { purl: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) =>
        json(await listDependencyPaths(deps, caller, { ...path, ...query })),
    }),
    listDependencyGraph: route<{ path: SbomPath; query: LevelRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, path: { sbom_id }, query }) => {
        const found = await listDependencyGraph(deps, caller, { sbom_id, ...query });
        return json({ ...pageEnvelope(found, query), sbom_id, has_graph: found.has_graph });
      },
    }),
    diffSboms: route<{ path: SbomPath & { other_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => diffReply(await diffSboms(deps, caller, path)),
    }),
    deleteSbom: route<{ path: SbomPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await deleteSbom(deps, caller, path.sbom_id);
        return nothing;
      },
    }),
  };
}

function vdrReply(content: () => Readable): Reply {
  return { kind: 'stream', headers: { 'Content-Type': 'application/vnd.cyclonedx+json' }, content };
}

function detailReply(detail: SbomDetail): Reply {
  const { record } = detail;
  const head = {
    id: record.id,
    project_id: record.project_id,
    version: record.version,
    format: record.format,
    spec_version: record.spec_version,
    sha256: record.sha256,
    dependency_count: record.dependency_count,
    created_at: record.created_at,
    uploaded_by: record.uploaded_by ?? null,
    commit: record.commit ?? null,
    build_url: record.build_url ?? null,
    ...publicService(record),
    scan_status: record.scan_status,
    scanned_at: record.scanned_at,
    scan_error: record.scan_error ?? null,
    retained: record.retained,
    coverage: detail.coverage,
    advisory_data: detail.advisoryData,
    quality: detail.quality,
  };
  const { dependencies, vulnerabilities } = detail;
  return {
    kind: 'stream',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ETag: weakEtag([JSON.stringify(head), dependencies ?? '', vulnerabilities ?? '']),
    },
    content: () =>
      spliceJson(head, [
        { name: 'dependencies', packed: dependencies },
        { name: 'vulnerabilities', packed: vulnerabilities },
      ]),
  };
}

/**
 * One of the lists of an SBOM as CSV.
 *
 * @throws AppError `service_unavailable` for vulnerabilities that are not known yet, `document_expired`: an
 *   empty file would look clean
 */
function csvOfDetail(detail: SbomDetail, list: SbomQuery['list']): Promise<Reply> {
  const { id, scan_status } = retainedRecord(detail.record);
  if (list === 'dependencies') {
    const parts = splitArray<components['schemas']['DependencyResponse']>(
      attached(detail.dependencies),
    );
    return csvReply(parts, { name: `dependencies-${id}`, columns: dependencyColumns });
  }
  if (!detail.vulnerabilities)
    throw new AppError('service_unavailable', `The scan of the SBOM is ${scan_status}.`);
  const parts = splitArray<BriefVulnerability>(detail.vulnerabilities);
  const unsaid = () => notCovered(detail.coverage);
  return csvReply(parts, { name: `vulnerabilities-${id}`, columns: briefColumns, unsaid });
}

function diffReply(packed: Uint8Array | null): Reply {
  if (!packed) return json({ added: [], removed: [], changed: [] });
  return {
    kind: 'stream',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    content: () => Readable.from(gunzipStream(Readable.from([packed]))),
  };
}

/** Exactly the uploaded bytes; sent gzip'd, as stored, to clients that accept it. */
function documentReply(
  { record, size, packed }: Awaited<ReturnType<typeof readSbomDocument>>,
  asGzip: boolean,
): Reply {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${downloadName(record)}"`,
    // The gzip'd form differs in bytes, so only a weak validator may be shared.
    ETag: `${asGzip ? 'W/' : ''}"${record.sha256}"`,
    Vary: 'Accept-Encoding',
  };
  return asGzip
    ? {
        kind: 'stream',
        headers: {
          ...headers,
          'Content-Encoding': 'gzip',
          'Content-Length': String(packed.length),
        },
        content: () => Readable.from([packed]),
      }
    : {
        kind: 'stream',
        headers: {
          ...headers,
          'Content-Length': String(size),
          // Prevents compression: the strong validator and the hash refer to these bytes.
          'Cache-Control': 'no-transform',
        },
        content: () => Readable.from(gunzipStream(Readable.from([packed]))),
      };
}
