import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { IndexPlan } from '@bomtrail/mongo';
import type { MatchedComponent } from '../domain/component';
import type { SetCounts } from '../domain/component-set';

/** A component set with its evaluation. */
export interface SetDocument {
  /** Digest. */
  _id: string;
  /** The revision that the summary is valid for; only grows. */
  revision: number;
  /** Absent until the set was evaluated. */
  counts?: SetCounts;
  /** First page of the matched components. */
  matched?: MatchedComponent[];
  /** Number of further pages in `component_set_matches`. */
  further_pages?: number;
  /** Last revision that changed the findings after the first evaluation; 0 for none. */
  changed_revision?: number;
  /** When the earliest unpublished change came into force; null: unknown. Without meaning after that is published. */
  changed_at?: Date | null;
  /** Package keys of the findings that the unpublished change affects; null or absent: any. */
  changed_packages?: string[] | null;
  /** Last published change. */
  published_revision?: number;
  /** Set while a change is not published. */
  unpublished?: true;
  /** `MATCHING_RULES_VERSION` of the evaluation. Absent until the set was evaluated. */
  rules?: number;
  /** Set while the set is being deleted; it then counts as not evaluated. */
  deletion?: string;
}

/** A further page of the matched components of a set at one revision. */
export interface MatchPageDocument {
  /** `<digest>:<revision>:<page>`. */
  _id: string;
  digest: string;
  revision: number;
  matched: MatchedComponent[];
  /** Differs with every save. */
  generation: string;
}

/** A page of the package versions of a set. */
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

/** Concurrent writes that share a round trip. */
export const writesPerBatch = 64;

/** Whether a set was evaluated by the current rules. */
export function isCurrent({ rules }: Pick<SetDocument, 'rules'>): boolean {
  return rules === MATCHING_RULES_VERSION;
}
