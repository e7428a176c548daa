import { commonSettings, garbageGraceSeconds } from '@bomtrail/service-kit';
import { z } from 'zod';

export const settings = commonSettings.extend({
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
  MAX_COMPONENTS: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(5_000_000)
    .default(500_000)
    .describe('Components in one document; more are refused with 413'),
  PARSER_THREADS: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Threads that parse documents and compare component sets'),
});

export type Settings = z.infer<typeof settings>;
