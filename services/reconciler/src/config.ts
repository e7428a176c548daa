import { commonSettings, garbageGraceSeconds } from '@bomtrail/service-kit';

export const settings = commonSettings.extend({
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
});

export type Settings = ReturnType<typeof settings.parse>;
