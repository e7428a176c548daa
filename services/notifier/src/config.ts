import { commonSettings } from '@bomtrail/service-kit';

/** The notifier needs nothing beyond what every service takes. */
export const settings = commonSettings;
