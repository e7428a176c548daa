import type { Db } from 'mongodb';
import type { SetDocument } from './component-set-documents';
import { newGeneration, type FoundDocument } from './generations';
import type { MatchPages } from './match-pages';
import type { SetMembers } from './set-members';

/** Documents of a set at the start of its deletion. */
export interface SetDeletion {
  digest: string;
  mark: string;
  members: FoundDocument[];
  matchPages: FoundDocument[];
}

/** Deletion of component sets with all their pages. */
export function createSetDeletion(
  db: Db,
  { members, matchPages }: { members: SetMembers; matchPages: MatchPages },
) {
  const sets = db.collection<SetDocument>('component_sets');

  return {
    /**
     * Starts the deletion of a set: later scans evaluate it anew. The caller then checks that the
     * set is unused and calls `remove`.
     */
    async beginDeletion(digest: string): Promise<SetDeletion> {
      const mark = newGeneration();
      await sets.updateOne({ _id: digest }, { $set: { deletion: mark } });
      const [ofMembers, ofMatched] = await Promise.all([
        members.find(digest),
        matchPages.find(digest),
      ]);
      return { digest, mark, members: ofMembers, matchPages: ofMatched };
    },

    /** Deletes a set, except for documents written after the deletion began. */
    async remove({ digest, mark, ...found }: SetDeletion): Promise<void> {
      await matchPages.remove(found.matchPages);
      await members.remove(found.members);
      await sets.deleteOne({ _id: digest, deletion: mark });
    },
  };
}
