import { createHash } from 'node:crypto';
import { type KevEntry, type ProjectScope, severities } from '@bomtrail/messages';
import { oneOrSeveral, withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import { createListScopes } from '../../queries/store/list-scopes';
import { whereOf } from '../../queries/store/list-where';
import type {
  DetailsDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { inUpperCase } from '../../tracking/domain/vulnerability-names';
import { byFirstSeen, byProject, byService } from '../../tracking/store/list-indexes';
import type { SbomVersion } from '../../tracking/domain/types';
import type { OpenVulnerability } from '../domain/package-in-use';
import { addTo } from '../../tracking/domain/grouped';

/** An open vulnerability of a service. */
export interface OpenRow {
  service_id: string;
  details_id: string;
  fixed_versions: readonly string[];
}

/** What is planned for; neither: everything. */
export interface PlannedScope {
  project_id?: ProjectScope | undefined;
  service_ids?: string[] | undefined;
}

/** A service with its newest scanned SBOM. */
export interface ServiceHead {
  project_id: string;
  head: SbomVersion;
}

/** Details as plans need them. */
export interface PlannedDetails extends OpenVulnerability {
  package_name: string;
  ecosystem: string;
}

/** The open vulnerabilities in a scope, by package key. */
export interface OpenPackages {
  packages: Map<string, OpenRow[]>;
  services: Map<string, ServiceHead>;
  details: Map<string, PlannedDetails>;
  /** False: there are more than the bound; the least severe ones are left out. */
  complete: boolean;
}

export type OpenPackageStore = ReturnType<typeof createOpenPackageStore>;

/** Open vulnerabilities in memory: some 30 MB. */
export const maxPlannedVulnerabilities = 200_000;
const readAtOnce = 5_000;

type StoredRow = Pick<
  TrackedVulnerabilityDocument,
  'service_id' | 'package_key' | 'details_id' | 'found'
>;

/** Reads open vulnerabilities for plans. */
export function createOpenPackageStore(
  database: Database,
  deletions: Pick<DeletionStore, 'hiddenWith'>,
  { most } = { most: maxPlannedVulnerabilities },
) {
  const { db, client } = database;
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const states = db.collection<ServiceStateDocument>('service_states');
  const { select } = createListScopes(database, deletions);

  async function readDetails(ids: readonly string[], session: ClientSession) {
    const found = new Map<string, PlannedDetails>();
    for (let at = 0; at < ids.length; at += readAtOnce) {
      const page = details
        .find({ _id: { $in: ids.slice(at, at + readAtOnce) } }, { session })
        .project<StoredDetails>(detailsProjection);
      for await (const one of page) found.set(one._id, plannedDetails(one));
    }
    return found;
  }

  async function readServices(ids: readonly string[], session: ClientSession) {
    const found = new Map<string, ServiceHead>();
    for (let at = 0; at < ids.length; at += readAtOnce) {
      const page = states
        .find({ _id: { $in: ids.slice(at, at + readAtOnce) } }, { session })
        .project<Pick<ServiceStateDocument, '_id' | 'project_id' | 'head'>>({
          project_id: 1,
          head: 1,
        });
      for await (const { _id, project_id, head } of page)
        if (head) found.set(_id, { project_id, head });
    }
    return found;
  }

  return {
    /** A hash of the versions of all services in a scope: it changes with every write to their vulnerabilities. */
    version: (scope: PlannedScope): Promise<string> =>
      withSnapshot(client, async (session) => {
        const hash = createHash('sha256');
        const selection = await select({ ...scope, statuses: ['open'] }, session);
        if (!selection) return hash.digest('base64url');
        const { hidden, project_id, services } = selection;
        const where: Filter<ServiceStateDocument> = {
          deletion_state: { $exists: false },
          ...(project_id === undefined ? {} : { project_id: oneOrSeveral(project_id) }),
          ...(services ? { _id: { $in: [...services] } } : {}),
        };
        const found = states
          .find(where, { session, batchSize: 10_000 })
          .sort({ _id: 1 })
          .project<{ _id: string; version: number }>({ version: 1 });
        hash.update(JSON.stringify([hidden.projects, hidden.services]));
        for await (const { _id, version } of found) hash.update(`\n${_id} ${version}`);
        return hash.digest('base64url');
      }),

    /** The open vulnerabilities of a scope, from one snapshot. */
    read: (scope: PlannedScope): Promise<OpenPackages> =>
      withSnapshot(client, async (session) => {
        const packages = new Map<string, OpenRow[]>();
        const nothing = { packages, services: new Map(), details: new Map(), complete: true };
        const selection = await select({ ...scope, statuses: ['open'] }, session);
        if (!selection) return nothing;
        const where = whereOf({ statuses: ['open'] }, selection);
        const intern = interning();
        let left = most;
        const hint = selection.services
          ? byService
          : selection.project_id
            ? byProject
            : byFirstSeen;
        for (const severity of severities) {
          const rows = vulnerabilities
            .find({ ...where, severity }, { session, hint })
            .limit(left + 1)
            .project<StoredRow>(rowProjection);
          for await (const { package_key, service_id, details_id, found } of rows) {
            if (left === 0) break;
            left -= 1;
            if (details_id === undefined) continue;
            addTo(packages, package_key, {
              service_id: intern.text(service_id),
              details_id: intern.text(details_id),
              fixed_versions: intern.list(found?.fixed_versions ?? []),
            });
          }
          if (left === 0) break;
        }
        const all = [...packages.values()].flat();
        const open = severities.reduce(
          (sum, severity) => sum + (selection.counts[severity] ?? 0),
          0,
        );
        return {
          packages,
          services: await readServices(distinct(all, 'service_id'), session),
          details: await readDetails(distinct(all, 'details_id'), session),
          complete: left > 0 || open <= most,
        };
      }),
  };
}

const rowProjection = {
  _id: 0,
  service_id: 1,
  package_key: 1,
  details_id: 1,
  'found.fixed_versions': 1,
} as const;

const detailsProjection = {
  package_name: 1,
  ecosystem: 1,
  cve_id: 1,
  aliases: 1,
  severity: 1,
  kev: 1,
  epss_score: 1,
  risk: 1,
} as const;

type StoredDetails = Pick<
  DetailsDocument,
  '_id' | 'package_name' | 'ecosystem' | 'cve_id' | 'aliases' | 'severity' | 'epss_score' | 'risk'
> & { kev: KevEntry | null };

function plannedDetails(stored: StoredDetails): PlannedDetails {
  const { package_name, ecosystem, cve_id, severity, epss_score, risk } = stored;
  return {
    package_name,
    ecosystem,
    cve_id,
    severity,
    aliases: inUpperCase(stored.aliases),
    kev: stored.kev !== null && stored.kev !== undefined,
    epss_score: epss_score ?? null,
    risk: risk ?? null,
  };
}

function distinct<Key extends 'service_id' | 'details_id'>(
  rows: readonly OpenRow[],
  key: Key,
): string[] {
  return [...new Set(rows.map((row) => row[key]))];
}

/** Equal values become one object: most vulnerabilities share them. */
function interning() {
  const texts = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  return {
    text(value: string): string {
      const known = texts.get(value);
      if (known === undefined) texts.set(value, value);
      return known ?? value;
    },
    list(value: readonly string[]): readonly string[] {
      const key = value.join('\n');
      const known = lists.get(key);
      if (!known) lists.set(key, value);
      return known ?? value;
    },
  };
}
