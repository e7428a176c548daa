import { createHash } from 'node:crypto';
import type { Document, MongoClient } from 'mongodb';

type Stored = Document & { _id: string };

interface ServiceState extends Stored {
  project_id: string;
  head: { sbom_id: string; seq: number; digest: string; created_at: string };
}

const batch = 5_000;
const weak = { writeConcern: { w: 1, journal: false }, ordered: false } as const;

/**
 * Gives each line that the reconciler knows a service with one SBOM record, and each project a name, in
 * the shape in which the catalog would have stored them: the gateway lists no row of a line without one.
 */
export async function seedCatalog(client: MongoClient, prefix: string): Promise<void> {
  const catalog = client.db(`${prefix}catalog`);
  const states = client.db(`${prefix}reconciler`).collection<ServiceState>('service_states').find();
  const projects = new Map<string, Stored>();
  const lines: Stored[] = [];
  const sboms: Stored[] = [];
  for await (const { _id, project_id, head } of states.sort({ _id: 1 })) {
    const number = lines.length + 1;
    const created_at = new Date(head.created_at);
    if (!projects.has(project_id)) {
      projects.set(project_id, projectOf(project_id, projects.size + 1, created_at));
    }
    const { sbom_id, seq, digest } = head;
    const sha256 = createHash('sha256').update(sbom_id).digest('hex');
    const version = `1.${seq}.0`;
    const latest = { sbom_id, sha256, version, digest, created_at };
    const line = { _id, project_id, name: `service-${number}`, created_at, seq, latest };
    lines.push({ ...line, sbom_count: 1 });
    sboms.push({
      _id: sbom_id,
      project_id,
      service_id: _id,
      seq,
      version,
      sha256,
      digest,
      created_at,
      format: 'cyclonedx',
      spec_version: '1.5',
      dependency_count: 200,
      scan_status: 'scanned',
      scanned_at: created_at,
    });
  }
  const kinds = { projects: [...projects.values()], services: lines, sboms };
  for (const [kind, documents] of Object.entries(kinds)) {
    const collection = catalog.collection<Stored>(kind);
    for (let from = 0; from < documents.length; from += batch) {
      await collection.insertMany(documents.slice(from, from + batch), weak);
    }
  }
}

function projectOf(_id: string, number: number, created_at: Date): Stored {
  const name = `Project ${number} of the filled database`;
  const name_key = name.toLowerCase();
  return {
    _id,
    slug: name_key.replaceAll(' ', '-'),
    name,
    name_key,
    description: null,
    repo_url: null,
    platform: null,
    service_levels: { critical: 14, high: 45 },
    created_at,
    updated_at: null,
  };
}
