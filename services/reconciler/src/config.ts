import { garbageGraceSeconds } from '@bomtrail/deletion';
import { commonSettings } from '@bomtrail/service-runtime';

export const settings = commonSettings.extend({
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
});

export type Settings = ReturnType<typeof settings.parse>;
