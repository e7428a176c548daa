import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { scopeOf, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import {
  filtersOf,
  onlyServiceOf,
  withNames,
  type ActiveFilters,
  type ListActiveDeps,
  type Sorting,
} from './list-active';

type Schemas = components['schemas'];
type Counted = Pick<messages.StatePage, 'total' | 'has_more'>;
type Told = { advisory_data: messages.AdvisoryData };

/**
 * One page of vulnerabilities in any states.
 *
 * @throws AppError `service_unavailable`
 */
export async function listVulnerabilities(
  deps: ListActiveDeps,
  caller: Caller,
  requested: PageRequest &
    Sorting &
    ActiveFilters & { status?: messages.VulnerabilityStatus[]; count?: boolean | undefined },
): Promise<Counted & { items: Schemas['TrackedVulnerability'][] } & Told> {
  const { status, ...others } = requested;
  const statuses = status?.length ? status : [...messages.vulnerabilityStatuses];
  const query = await filtersOf(deps, caller, others);
  if (query === 'nothing')
    return { items: [], total: 0, has_more: false, advisory_data: await deps.advisoryData() };
  const named = deps.nameServices(onlyServiceOf(query));
  const [{ body: found }, advisory_data] = await Promise.all([
    deps.request(messages.listVulnerabilities, { ...query, statuses }),
    deps.advisoryData(),
  ]);
  const [names, versionOf] = await Promise.all([
    named(found.items),
    versionsOf(deps, found.items.flatMap(sbomsOf)),
  ]);
  const items = withNames(found.items, names);
  const { total, has_more } = found;
  return { items: items.map(withVersions(versionOf)), total, has_more, advisory_data };
}

/**
 * One vulnerability with its timeline. @throws AppError `vulnerability_not_found`,
 * `service_unavailable`
 */
export async function readVulnerability(
  deps: ListActiveDeps,
  caller: Caller,
  vulnerabilityId: string,
): Promise<Schemas['TrackedVulnerabilityDetail']> {
  const nameOf = deps.nameServices();
  const [{ body }, advisory_data] = await Promise.all([
    deps.request(messages.readVulnerability, {
      vulnerability_id: vulnerabilityId,
      of_project: scopeOf(caller),
    }),
    deps.advisoryData(),
  ]);
  const { timeline, timeline_complete, acceptances, ...record } = body;
  const inTimeline = timeline.flatMap(({ sbom_id }) => sbom_id ?? []);
  const [names, versionOf] = await Promise.all([
    nameOf([record]),
    versionsOf(deps, [...sbomsOf(record), ...inTimeline]),
  ]);
  const [named] = withNames([record], names);
  // Its service was deleted since the record was read.
  if (!named) throw new AppError('vulnerability_not_found');
  return {
    ...withVersions(versionOf)(named),
    acceptances,
    timeline: timeline.map((event) =>
      event.sbom_id === undefined ? event : { ...event, version: versionOf(event.sbom_id) },
    ),
    timeline_complete,
    advisory_data,
  };
}

type Points = Pick<messages.StateView, 'introduced_in' | 'fixed_in'>;

function sbomsOf({ introduced_in, fixed_in }: Points): string[] {
  return [introduced_in.sbom_id, ...(fixed_in ? [fixed_in.sbom_id] : [])];
}

/** Adds the versions of its SBOMs from the catalog. */
function withVersions(versionOf: (sbomId: string) => string | null) {
  const named = ({ sbom_id, at }: messages.SbomPoint): Schemas['SbomPoint'] => {
    return { sbom_id, version: versionOf(sbom_id), at };
  };
  return <Record extends Points>(record: Record) => ({
    ...record,
    introduced_in: named(record.introduced_in),
    fixed_in: record.fixed_in && named(record.fixed_in),
  });
}

/** The versions of SBOMs, in one request; null for deleted ones. */
async function versionsOf(
  deps: { request: Request },
  sbomIds: readonly string[],
): Promise<(sbomId: string) => string | null> {
  if (sbomIds.length === 0) return () => null;
  const { body } = await deps.request(messages.nameSboms, { sbom_ids: [...new Set(sbomIds)] });
  const versions = new Map(body.map(({ sbom_id, version }) => [sbom_id, version]));
  return (sbomId) => versions.get(sbomId) ?? null;
}
