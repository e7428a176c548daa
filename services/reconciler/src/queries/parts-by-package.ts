import type { FindingsReport } from '@bomtrail/messages';
import { createObservationFold } from '../tracking/domain/fold-observations';
import type { Observation } from '../tracking/domain/types';
import { joinReport, type JoinedReport } from '../tracking/observations-of';
import type { PackageDetails } from '../tracking/store/details-document';

/** Findings at which a part ends; those of a single package are folded above it. */
const perPart = 2_000;

/**
 * Divides findings that come in the order of their packages into parts with whole packages, so that memory
 * holds one part and one report. Of a package with very many findings, versions with the same details are
 * one observation.
 */
export async function* partsByPackage(
  reports: AsyncIterable<FindingsReport>,
  most: number = perPart,
): AsyncGenerator<JoinedReport> {
  let part = new Part();
  let open = new OnePackage(most);
  for await (const report of reports) {
    const { observations, details } = joinReport(report);
    for (const one of observations) {
      if (one.package_key !== open.key) {
        part.add(open);
        if (part.observations.length >= most) {
          yield part;
          part = new Part();
        }
        open = new OnePackage(most, one.package_key);
      }
      open.add(one, details.get(one.details));
    }
  }
  part.add(open);
  if (part.observations.length > 0) yield part;
}

class Part implements JoinedReport {
  readonly observations: Observation[] = [];
  readonly details = new Map<string, PackageDetails>();

  add(of: OnePackage): void {
    for (const one of of.end()) this.observations.push(one);
    for (const [id, own] of of.details) this.details.set(id, own);
  }
}

/** The findings of one package, folded once they are too many. */
class OnePackage {
  readonly details = new Map<string, PackageDetails>();
  private observations: Observation[] = [];
  private fold: ReturnType<typeof createObservationFold> | null = null;

  constructor(
    private readonly most: number,
    readonly key: string | null = null,
  ) {}

  add(one: Observation, details: PackageDetails | undefined): void {
    if (details) this.details.set(one.details, details);
    this.observations.push(one);
    if (this.observations.length <= this.most) return;
    this.fold ??= createObservationFold();
    this.fold.add(this.observations);
    this.observations = [];
  }

  end(): Observation[] {
    if (!this.fold) return this.observations;
    this.fold.add(this.observations);
    return this.fold.end();
  }
}
