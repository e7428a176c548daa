import type { IndexPlan } from '@bomtrail/service-kit';
import type { Hit } from '../domain/component';
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
  hits?: Hit[];
  /** Pages of hits in `component_set_hits`. */
  further_pages?: number;
  /** The last revision that changed what is found in the set after it was evaluated; 0 = none. */
  changed_revision?: number;
  /** The last change of which the others were told. */
  announced_revision?: number;
  /** A change of which the others are to be told: there is something to sweep. */
  unannounced?: true;
}

/** A further page of the hits of a set, as they were at one revision. */
export interface HitPageDocument {
  /** `<digest>:<revision>:<page>`. */
  _id: string;
  digest: string;
  revision: number;
  hits: Hit[];
}

/** A page of the package versions that a set holds. */
export interface MembersDocument {
  /** `<digest>:<page>`. */
  _id: string;
  digest: string;
  /** Ids of package versions. */
  versions: string[];
}

export const componentSetIndexes: IndexPlan = {
  component_sets: [
    {
      key: { changed_revision: 1 },
      partialFilterExpression: { unannounced: true },
      name: 'unannounced',
    },
  ],
  component_set_members: [{ key: { versions: 1 } }, { key: { digest: 1 } }],
  component_set_hits: [{ key: { digest: 1 } }],
};

/** Writes of a burst of uploads that share a round trip. */
export const writesPerBatch = 64;
