export { readSettings, SettingsError } from './read-settings';
export { trueOrFalse } from './true-or-false';
