import { createRequire } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { serviceNames, type ServiceName } from '@bomtrail/messages';
import type { readSettings } from '@bomtrail/settings';

const requireHere = createRequire(__filename);

/** The schema of a service's settings. */
export type SettingsSchema = Parameters<typeof readSettings>[0];

/**
 * The settings' schema of each service, from its built code.
 *
 * @param folder `dist`, or `src` where a test transforms sources
 */
export function settingsSchemas(folder = 'dist'): Record<ServiceName, SettingsSchema> {
  const load = (service: string): SettingsSchema => {
    const file = path.join(repositoryRoot(), 'services', service, folder, 'config');
    return (requireHere(file) as { settings: SettingsSchema }).settings;
  };
  return Object.fromEntries(serviceNames.map((name) => [name, load(name)])) as Record<
    ServiceName,
    SettingsSchema
  >;
}
