import { SettingsError } from '@bomtrail/settings';
import type { Db } from 'mongodb';

/** Version of the stored documents; raised by a change that cannot read older ones. */
export const storeLayout = 3;

interface LayoutDocument {
  _id: 'layout';
  version: number;
}

const dataCollections = ['service_states', 'tracked_vulnerabilities', 'acceptances'];

/**
 * Refuses a database with documents of another layout, and records the layout in an empty one. There is no
 * migration.
 *
 * @throws SettingsError
 */
export async function checkStoreLayout(db: Db): Promise<void> {
  const layouts = db.collection<LayoutDocument>('store_layout');
  const found = await layouts.findOne({ _id: 'layout' });
  if (found?.version === storeLayout) return;
  if (found || !(await isEmpty(db))) throw new SettingsError([wrongLayout(db.databaseName)]);
  await recordStoreLayout(db);
}

/** Records that the documents of a database have this layout. */
export async function recordStoreLayout(db: Db): Promise<void> {
  const layouts = db.collection<LayoutDocument>('store_layout');
  const $set = { version: storeLayout };
  await layouts.updateOne({ _id: 'layout' }, { $set }, { upsert: true });
}

async function isEmpty(db: Db): Promise<boolean> {
  const found = await Promise.all(dataCollections.map((name) => db.collection(name).findOne()));
  return found.every((document) => document === null);
}

function wrongLayout(database: string): string {
  return (
    `MONGODB_URI: the database ${database} was written by a release with another layout, which this ` +
    'release cannot read. Start with empty databases and upload the SBOMs again, or run that release.'
  );
}
