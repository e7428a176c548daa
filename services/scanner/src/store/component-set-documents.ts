import type { IndexPlan } from '@bomtrail/service-kit';
import type { MatchedComponent } from '../domain/component';
import type { SetCounts } from '../domain/component-set';

/** A component set with what is found in it. */
export interface SetDocument {
  /** Digest. */
  _id: string;
  /** The revision for which the summary is right; grows only. */
  revision: number;
  /** Absent until the set was evaluated. */
  counts?: SetCounts;
  /** The first page of the hits. */
  matched?: MatchedComponent[];
  /** Pages of hits in `component_set_matches`. */
  further_pages?: number;
  /** The last revision that changed what is found in the set after it was evaluated; 0 = none. */
  changed_revision?: number;
  /** When the earliest change came into force of which the others were not told. */
  changed_at?: Date | null;
  /**
   * Package keys of the findings that a change concerns of which the others are to be told; null or
   * absent: any may be concerned.
   */
  changed_packages?: string[] | null;
  /** The last change of which the others were told. */
  published_revision?: number;
  /** A change of which the others are to be told: there is something to sweep. */
  unpublished?: true;
  /** `MATCHING_RULES_VERSION` of the evaluation. Absent until the set was evaluated. */
  rules?: number;
  /** Somebody is about to forget the set: until this is taken back it counts as not evaluated. */
  released?: string;
}

/** A further page of the hits of a set, as they were at one revision. */
export interface MatchPageDocument {
  /** `<digest>:<revision>:<page>`. */
  _id: string;
  digest: string;
  revision: number;
  matched: MatchedComponent[];
  /** Differs with every save. */
  generation: string;
}

/** A page of the package versions that a set holds. */
export interface MembersDocument {
  /** `<digest>:<rules>:<page>`. */
  _id: string;
  digest: string;
  /** Ids of package versions. */
  versions: string[];
  /** `MATCHING_RULES_VERSION` that the components were resolved with. */
  rules: number;
  /** Differs with every scan that wrote it. */
  generation: string;
}

export const componentSetIndexes: IndexPlan = {
  component_sets: [
    { key: { rules: 1, _id: 1 } },
    {
      key: { changed_revision: 1 },
      partialFilterExpression: { unpublished: true },
      name: 'unpublished',
    },
  ],
  component_set_members: [{ key: { versions: 1 } }, { key: { digest: 1 } }],
  component_set_matches: [{ key: { digest: 1 } }],
};

/** Writes of a burst of uploads that share a round trip. */
export const writesPerBatch = 64;
