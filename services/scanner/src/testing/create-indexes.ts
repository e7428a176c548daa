import type { Db } from 'mongodb';
import { advisoryIndexes } from '../store/advisory-documents';
import { componentSetIndexes } from '../store/component-set-documents';
import { packageChangeIndexes } from '../store/package-change-store';
import { packageVersionIndexes } from '../store/package-version-store';

/** The scanner's indexes, for tests of its stores without the service. */
export async function createIndexes(db: Db): Promise<void> {
  const plan = {
    ...{ ...advisoryIndexes, ...componentSetIndexes },
    ...{ ...packageChangeIndexes, ...packageVersionIndexes },
  };
  for (const [collection, indexes] of Object.entries(plan))
    await db.collection(collection).createIndexes([...indexes]);
}
