import type { Document, UpdateFilter } from 'mongodb';

/** The update of a document that sets fields and removes undefined ones. */
export function changeOf<Stored extends Document>(changes: object): UpdateFilter<Stored> {
  const fields = Object.entries(changes);
  const kept = fields.filter(([, value]) => value !== undefined);
  const removed = fields.filter(([, value]) => value === undefined);
  return {
    ...(kept.length > 0 && { $set: Object.fromEntries(kept) }),
    ...(removed.length > 0 && {
      $unset: Object.fromEntries(removed.map(([field]) => [field, ''])),
    }),
  } as UpdateFilter<Stored>;
}
