import type { Db } from 'mongodb';
import { createMatchPages } from './match-pages';
import { createSetChanges } from './set-changes';
import { createSetDeletion } from './set-deletion';
import { createSetEvaluations } from './set-evaluations';
import { createSetMembers } from './set-members';

export type ComponentSetStore = ReturnType<typeof createComponentSetStore>;

/** Component sets: their package versions, evaluations, changes and deletion. */
export function createComponentSetStore(db: Db) {
  const members = createSetMembers(db);
  const matchPages = createMatchPages(db);
  return {
    addMembers: members.add,
    listSetsContaining: members.listSetsContaining,
    listContaining: members.listContaining,
    removeMembersOfOtherRules: members.removeOtherRules,
    ...createSetEvaluations(db, matchPages),
    ...createSetChanges(db),
    ...createSetDeletion(db, { members, matchPages }),
  };
}
