import { commonSettings } from '@bomtrail/service-kit';

/** The reconciler needs nothing beyond what every service takes. */
export const settings = commonSettings;
