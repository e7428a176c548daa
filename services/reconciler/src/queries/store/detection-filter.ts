import type { DueLimits, ListFilters, Severity } from '@bomtrail/messages';
import type { Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;
type Times = Pick<ListFilters, 'detected_since' | 'overdue'>;

/** The conditions of a filter on the time of detection; one that is not stored fulfils none. */
export function detectionWhereOf({ detected_since, overdue }: Times): Vulnerabilities {
  const all: Vulnerabilities[] = [
    ...(detected_since === undefined ? [] : [{ detected_at: { $gte: new Date(detected_since) } }]),
    ...(overdue ? [overdueWhere(overdue)] : []),
  ];
  return all.length === 0 ? {} : { $and: all };
}

function overdueWhere({ is, limits }: NonNullable<Times['overdue']>): Vulnerabilities {
  const due = limits.flatMap(dueOf);
  if (!is) return due.length === 0 ? {} : { $nor: [{ status: 'open', $or: due.map(whereOf) }] };
  const latest = Math.max(0, ...due.map(({ before }) => before.getTime()));
  const severities = [...new Set(due.map(({ severity }) => severity))];
  // The outer conditions follow from the inner ones: they bound the range of the index that is read.
  return {
    status: 'open',
    severity: { $in: severities },
    detected_at: { $lt: new Date(latest) },
    ...(due.length === 0 ? {} : { $or: due.map(whereOf) }),
  };
}

interface Due {
  severity: Severity;
  before: Date;
  project_ids: string[];
}

function dueOf({ project_ids, detected_before }: DueLimits): Due[] {
  return Object.entries(detected_before).map(([severity, before]) => {
    return { severity: severity as Severity, before: new Date(before), project_ids };
  });
}

function whereOf({ severity, before, project_ids }: Due): Vulnerabilities {
  return { severity, detected_at: { $lt: before }, project_id: { $in: project_ids } };
}
