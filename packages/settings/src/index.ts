export { readSettings, SettingsError } from './read-settings';
export { trueOrFalse } from './true-or-false';
export { misspeltSettings } from './misspelt-settings';
export { pemErrors } from './pem';
