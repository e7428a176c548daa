export { readSettings, SettingsError } from './read-settings';
