import { commonSettings } from '@bomtrail/service-kit';

/** The catalog needs nothing beyond what every service takes. */
export const settings = commonSettings;
