import { writeFileSync } from 'node:fs';
import { settingsSchemas } from './schemas';
import { settingsPage, settingsPageFile } from './settings-page';

/** Writes the page of all settings, from the built schemas. */
export function writeSettingsPage(): void {
  writeFileSync(settingsPageFile, settingsPage(settingsSchemas()));
}
