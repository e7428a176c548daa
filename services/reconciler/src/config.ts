import { commonSettings, garbageSettings } from '@bomtrail/service-kit';

export const settings = commonSettings.extend(garbageSettings.shape);

export type Settings = ReturnType<typeof settings.parse>;
